// A phone network in memory that does what a test says: rings, fails, loses answers, and remembers what happened.
import type {
  CallLookup,
  CallRequest,
  Carrier,
  CarrierCallState,
  PlaceCallResult,
  SendTextResult,
  Texts,
} from '../../domain/calls/carrier.ts';
import type { Clock } from '../../platform/clock.ts';
import { Crash } from './crashing-database.ts';

export const placings = [
  'placed',
  'carrier_fault',
  'too_many_requests',
  'invalid_number',
  'answer_lost',
  'request_lost',
  'crash_before',
  'crash_after',
] as const;
export type Placing = (typeof placings)[number];

export const textings = ['sent', 'undeliverable', 'unknown', 'crash_after'] as const;
export type Texting = (typeof textings)[number];

export interface ScriptedCall {
  readonly id: string;
  readonly ref: {
    readonly workspaceId: string;
    readonly orderId: string;
    readonly attemptId: string;
  };
  readonly to: string;
  readonly token: string;
  readonly placedAt: Date;
  readonly request: CallRequest;
  answeredAt: Date | null;
  /** What it went through; the last is where it stands. */
  readonly states: CarrierCallState[];
}

export function stateOf(call: ScriptedCall): CarrierCallState {
  return call.states.at(-1) ?? 'queued';
}

export function isUp(call: ScriptedCall): boolean {
  return ['queued', 'ringing', 'in_progress'].includes(stateOf(call));
}

export type ScriptedCarrier = ReturnType<typeof createScriptedCarrier>;

export function createScriptedCarrier(clock: Clock) {
  const calls: ScriptedCall[] = [];
  /** What must never be: two calls at once that one phone or one order gets. */
  const violations: string[] = [];
  const textsAsked: string[] = [];
  const plan = {
    placing: [] as Placing[],
    texting: [] as Texting[],
    unreachable: false,
  };

  const ring = (request: CallRequest): ScriptedCall => {
    const [workspaceId = '', orderId = '', attemptId = ''] = request.statusCallbackUrl
      .split('/')
      .slice(-4);
    for (const other of calls.filter(isUp)) {
      if (other.to === request.to) violations.push(`two live calls to one number: ${orderId}`);
      if (other.ref.orderId === orderId) violations.push(`two live calls of one order: ${orderId}`);
    }
    const call: ScriptedCall = {
      id: `CA${attemptId}-${calls.length}`,
      ref: { workspaceId, orderId, attemptId },
      to: request.to,
      token: request.mediaUrl.split('/').at(-1) ?? '',
      placedAt: clock.now(),
      request,
      answeredAt: null,
      states: ['queued', 'ringing'],
    };
    calls.push(call);
    return call;
  };
  const carrier: Carrier & Texts = {
    name: 'scripted',
    placeCall: async (request) => place(request, plan.placing.shift() ?? 'placed', ring),
    async findCall({ carrierCallId, to, placedAfter }): Promise<CallLookup> {
      if (plan.unreachable) return { kind: 'unreachable', detail: 'planned' };
      const call = carrierCallId
        ? calls.find(({ id }) => id === carrierCallId)
        : calls.find((one) => one.to === to && one.placedAt >= placedAfter);
      if (!call) return { kind: 'none' };
      return { kind: 'found', carrierCallId: call.id, state: stateOf(call), durationSeconds: null };
    },
    async endCall(carrierCallId) {
      if (plan.unreachable) return 'unreachable';
      const call = calls.find(({ id }) => id === carrierCallId);
      if (!call || !isUp(call)) return 'already_ended';
      call.states.push(call.answeredAt ? 'completed' : 'canceled');
      return 'ended';
    },
    async sendText({ textId }) {
      textsAsked.push(textId);
      return text(textId, plan.texting.shift() ?? 'sent');
    },
  };
  const passTime = () => endWhatLastedTooLong(calls, clock.now());
  /** Somebody, or something, answers the call that rang last. */
  const pickUp = (call = calls.findLast((one) => stateOf(one) === 'ringing')) => {
    if (!call) return null;
    call.answeredAt = clock.now();
    call.states.push('in_progress');
    return call;
  };
  return { carrier, calls, violations, textsAsked, plan, passTime, pickUp };
}

/** What the network does by itself as time passes. */
function endWhatLastedTooLong(calls: readonly ScriptedCall[], now: Date) {
  const elapsed = (since: Date) => (now.getTime() - since.getTime()) / 1000;
  for (const call of calls.filter(isUp))
    if (call.answeredAt) {
      if (elapsed(call.answeredAt) >= call.request.timeLimitSeconds) call.states.push('completed');
    } else if (elapsed(call.placedAt) >= call.request.ringTimeoutSeconds)
      call.states.push('no_answer');
}

function place(
  request: CallRequest,
  placing: Placing,
  ring: (request: CallRequest) => ScriptedCall,
): PlaceCallResult {
  switch (placing) {
    case 'placed':
      return { kind: 'placed', carrierCallId: ring(request).id };
    case 'carrier_fault':
    case 'too_many_requests':
    case 'invalid_number':
      return { kind: 'refused', why: placing, code: 'planned' };
    case 'answer_lost':
      ring(request);
      return { kind: 'unknown', detail: 'planned' };
    case 'request_lost':
      return { kind: 'unknown', detail: 'planned' };
    case 'crash_before':
      throw new Crash();
    case 'crash_after':
      ring(request);
      throw new Crash();
  }
}

function text(textId: string, texting: Texting): SendTextResult {
  switch (texting) {
    case 'sent':
      return { kind: 'sent', carrierTextId: `SM${textId}` };
    case 'undeliverable':
      return { kind: 'refused', why: 'undeliverable', code: 'planned' };
    case 'unknown':
      return { kind: 'unknown', detail: 'planned' };
    case 'crash_after':
      throw new Crash();
  }
}
