import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { advanceCall } from '../../voice-gateway/call-machine.ts';
import type { CallEffect } from '../../voice-gateway/machine/call-effect.ts';
import type { CallEvent, CallHappening } from '../../voice-gateway/machine/call-event.ts';
import { newCall, type CallState } from '../../voice-gateway/machine/call-state.ts';
import { nextWakeAtMs } from '../../voice-gateway/machine/deadlines.ts';

const words = fc.constantFrom(
  'hello',
  'yes I am',
  'stop',
  'stop calling me',
  "don't record this",
  'uh-huh',
  'leave a message after the tone',
  'wrong number',
  'no thank you',
  '',
);
const id = fc.constantFrom('line-1', 'line-2', 'line-3', 'reply-1', 'reply-2', 'reply-3');
const turnId = fc.integer({ min: 1, max: 3 });
const ms = fc.integer({ min: 0, max: 20_000 });
const opinion = fc.constantFrom('person' as const, 'machine' as const, 'unknown' as const);

const happening: fc.Arbitrary<CallHappening> = fc.oneof(
  fc.record({ kind: fc.constant('admitted' as const), answeredBy: fc.option(opinion) }),
  fc.record({ kind: fc.constant('carrier_verdict' as const), answeredBy: opinion }),
  fc.record({ kind: fc.constant('speech_started' as const), agentRemainingMs: ms }),
  fc.record({ kind: fc.constant('speech_ended' as const), endedAtMs: ms }),
  fc.record({
    kind: fc.constant('words_heard' as const),
    certainty: fc.constantFrom('interim' as const, 'final' as const),
    text: words,
    fromMs: ms,
    toMs: ms,
  }),
  fc.record({ kind: fc.constant('reply_began' as const), turnId, utteranceId: id }),
  fc.record({
    kind: fc.constant('reply_made' as const),
    turnId,
    utteranceId: fc.option(id),
    expects: fc.constantFrom('nothing' as const, 'yes_no' as const, 'digits' as const),
    afterwards: fc.constantFrom('listen' as const, 'hang_up' as const),
    remainingMs: ms,
  }),
  fc.record({ kind: fc.constant('reply_failed' as const), turnId }),
  fc.record({
    kind: fc.constant('line_made' as const),
    utteranceId: id,
    remainingMs: ms,
  }),
  fc.record({ kind: fc.constant('played' as const), utteranceId: id }),
  fc.record({ kind: fc.constant('cut' as const), utteranceId: id }),
  fc.record({ kind: fc.constant('voice_failed' as const), utteranceId: id }),
  fc.record({
    kind: fc.constantFrom(
      'beep_heard' as const,
      'recogniser_failed' as const,
      'opt_out_kept' as const,
      'opt_out_failed' as const,
      'hold_extended' as const,
      'hold_insufficient' as const,
      'tick' as const,
    ),
  }),
  fc.record({ kind: fc.constant('digit_pressed' as const), digit: fc.constantFrom('1', '9') }),
);

const calls = fc.array(fc.tuple(happening, fc.integer({ min: 0, max: 4_000 })), { maxLength: 60 });

function timed(happenings: readonly (readonly [CallHappening, number])[]): CallEvent[] {
  let atMs = 0;
  const admitted: CallEvent = { kind: 'admitted', answeredBy: null, atMs };
  return [
    admitted,
    ...happenings.map(([what, laterMs]): CallEvent => {
      atMs += laterMs;
      return { ...what, atMs };
    }),
  ];
}

interface Run {
  readonly state: CallState;
  readonly effects: readonly CallEffect[];
}

function run(events: readonly CallEvent[]): Run {
  let state = newCall(120_000);
  const effects: CallEffect[] = [];
  for (const event of events) {
    const next = advanceCall(state, event);
    state = next.state;
    effects.push(...next.effects);
  }
  return { state, effects };
}

const count = (effects: readonly CallEffect[], kind: CallEffect['kind']) =>
  effects.filter((effect) => effect.kind === kind).length;

describe('whatever happens, in whatever order', () => {
  test('a call hangs up and finishes at most once, and then asks for nothing more', () => {
    fc.assert(
      fc.property(calls, (happenings) => {
        const { effects } = run(timed(happenings));
        expect(count(effects, 'hang_up')).toBeLessThanOrEqual(1);
        expect(count(effects, 'finish')).toBeLessThanOrEqual(1);
        const end = effects.findIndex((effect) => effect.kind === 'finish');
        expect(end === -1 ? [] : effects.slice(end + 1)).toEqual([]);
      }),
      { numRuns: 1_500 },
    );
  });

  test('the end of the stream ends the call', () => {
    fc.assert(
      fc.property(calls, (happenings) => {
        const events = timed(happenings);
        const atMs = events.at(-1)?.atMs ?? 0;
        const { state, effects } = run([...events, { kind: 'stream_ended', by: 'person', atMs }]);
        expect(state.phase.kind).toBe('ended');
        expect(count(effects, 'finish')).toBe(1);
      }),
      { numRuns: 1_000 },
    );
  });

  test('a call that is left alone ends by its own deadlines', () => {
    fc.assert(
      fc.property(calls, (happenings) => {
        let { state } = run(timed(happenings));
        for (let wakes = 0; state.phase.kind !== 'ended'; wakes += 1) {
          const atMs = nextWakeAtMs(state);
          expect(atMs).not.toBeNull();
          expect(wakes).toBeLessThan(200);
          state = advanceCall(state, { kind: 'tick', atMs: atMs ?? 0 }).state;
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test('recording opens only when the notice was played and the person speaks after it', () => {
    fc.assert(
      fc.property(calls, (happenings) => {
        const events = timed(happenings);
        let state = newCall(120_000);
        let noticeId: string | null = null;
        let noticePlayedAtMs: number | null = null;
        for (const event of events) {
          const { state: next, effects } = advanceCall(state, event);
          for (const effect of effects) {
            if (effect.kind === 'say' && effect.line === 'notice') noticeId = effect.utteranceId;
            if (effect.kind !== 'open_recording') continue;
            expect(event.kind === 'played' || event.kind === 'speech_started').toBe(true);
            expect(event.kind === 'played' || noticePlayedAtMs !== null).toBe(true);
            expect(effect.firstSpeechAtMs).toBeGreaterThanOrEqual(noticePlayedAtMs ?? event.atMs);
            expect(next.gate.kind).toBe('open');
          }
          if (event.kind === 'played' && event.utteranceId === noticeId)
            noticePlayedAtMs ??= event.atMs;
          state = next;
        }
      }),
      { numRuns: 1_500 },
    );
  });

  test('after an opt-out was heard it is kept and reported', () => {
    fc.assert(
      fc.property(calls, (happenings) => {
        const events = timed(happenings);
        const atMs = events.at(-1)?.atMs ?? 0;
        const wish = {
          certainty: 'interim',
          text: 'stop calling me',
          fromMs: 0,
          toMs: atMs,
        } as const;
        const { effects } = run([
          ...events,
          { kind: 'words_heard', ...wish, atMs },
          { kind: 'stream_ended', by: 'person', atMs },
        ]);
        const facts = effects.flatMap((effect) => (effect.kind === 'finish' ? [effect.facts] : []));
        const endedBefore = run(events).state.phase.kind === 'ended';
        if (endedBefore) return;
        expect(facts[0]?.optedOut).not.toBeNull();
        expect(count(effects, 'keep_opt_out')).toBeGreaterThanOrEqual(1);
      }),
      { numRuns: 1_000 },
    );
  });

  test('the same events lead to the same effects again', () => {
    fc.assert(
      fc.property(calls, (happenings) => {
        const events = timed(happenings);
        const logged: unknown = JSON.parse(JSON.stringify(events));
        // A recorded log is plain JSON; reading it back yields the same shape.
        expect(run(logged as CallEvent[]).effects).toEqual(run(events).effects);
      }),
      { numRuns: 300 },
    );
  });
});
