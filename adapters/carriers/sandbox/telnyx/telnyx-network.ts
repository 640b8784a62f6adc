// The network as one Telnyx account sees it.
import type { PhoneCall } from '../line/phone-call.ts';
import type { Network } from '../network.ts';
import { RecordBook } from '../record-book.ts';
import type { SandboxTelnyxAccount } from './account.ts';
import type { DialRequest } from './dial-request.ts';

const limits = { callsKept: 5_000 } as const;

/** A call with what only Telnyx knows of it. */
export interface DialedCall {
  /** The call control id. */
  readonly sid: string;
  readonly legId: string;
  readonly sessionId: string;
  readonly call: PhoneCall;
  readonly dial: DialRequest;
  /** Names of its webhooks, in order, whether they arrived or not. */
  readonly events: { readonly name: string; readonly at: Date }[];
}

export interface TelnyxNetwork extends Network {
  readonly account: SandboxTelnyxAccount;
  readonly dialed: RecordBook<DialedCall>;
  /** The call that a command id made first. */
  readonly commands: RecordBook<{ readonly sid: string; readonly made: DialedCall }>;
}

export function openTelnyxNetwork(network: Network, account: SandboxTelnyxAccount): TelnyxNetwork {
  const isOver = ({ call }: DialedCall) => call.endedAt !== null;
  return {
    ...network,
    account,
    dialed: new RecordBook(limits.callsKept, isOver),
    commands: new RecordBook(limits.callsKept, ({ made }) => isOver(made)),
  };
}
