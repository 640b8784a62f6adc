// Several one-call desks behind one gateway, told apart by token and attempt.
import type { CallDesk, CallRef } from '../../../domain/calls/call-desk.ts';
import type { MemoryDesk } from './memory-desk.ts';

export function joinDesks(desks: ReadonlyMap<string, MemoryDesk>): CallDesk {
  const of = (call: CallRef): MemoryDesk => {
    const desk = [...desks.values()].find(({ brief }) => brief.attemptId === call.attemptId);
    if (!desk) throw new Error('no such attempt');
    return desk;
  };
  return {
    checkToken: (token) => (desks.has(token) ? 'good' : 'bad_token'),
    async admit(token, carrierCallId) {
      const desk = desks.get(token);
      return desk ? desk.admit(token, carrierCallId) : { kind: 'refused', reason: 'bad_token' };
    },
    personAnswered: (call, answeredAt) => of(call).personAnswered(call, answeredAt),
    keepTurn: (call, turn) => of(call).keepTurn(call, turn),
    keepAlive: (call) => of(call).keepAlive(call),
    extendHold: (call) => of(call).extendHold(call),
    optOut: (call, why, quote) => of(call).optOut(call, why, quote),
    freeSlots: (call, count) => of(call).freeSlots(call, count),
    book: (call, slot) => of(call).book(call, slot),
    onAnsweredBy: (call, listener) => of(call).onAnsweredBy(call, listener),
    hangUp: (call, carrierCallId) => of(call).hangUp(call, carrierCallId),
    keepRecording: (call, path, durationMs) => of(call).keepRecording(call, path, durationMs),
    finish: (call, report) => of(call).finish(call, report),
  };
}
