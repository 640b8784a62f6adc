// Why Telnyx says a call ended, in our words. Pure.
import type { CarrierCallState } from '../../../domain/calls/carrier.ts';

type FinalState = Extract<
  CarrierCallState,
  'completed' | 'busy' | 'no_answer' | 'failed' | 'canceled'
>;

const byCause: ReadonlyMap<string, FinalState> = new Map([
  ['normal_clearing', 'completed'],
  ['time_limit', 'completed'],
  ['user_busy', 'busy'],
  ['timeout', 'no_answer'],
  ['no_answer', 'no_answer'],
  ['originator_cancel', 'canceled'],
  ['call_rejected', 'canceled'],
  ['not_found', 'failed'],
]);

const bySipCode: ReadonlyMap<string, FinalState> = new Map([
  ['486', 'busy'],
  ['600', 'busy'],
  ['603', 'canceled'],
  ['607', 'canceled'],
  ['608', 'canceled'],
  ['404', 'failed'],
  ['410', 'failed'],
  ['484', 'failed'],
  ['604', 'failed'],
]);

/** "failed" means that the number does not exist; a cause that nobody knows does not prove that. */
export function finalStateOf(hangupCause: string, sipHangupCause: string): FinalState {
  return byCause.get(hangupCause) ?? bySipCode.get(sipHangupCause) ?? 'no_answer';
}
