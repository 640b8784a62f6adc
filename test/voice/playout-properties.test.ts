// The ledger against a carrier that plays, echoes and clears at random.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPlayout } from '../../voice-gateway/media/playout.ts';

type Step =
  | { readonly kind: 'say'; readonly wordsMs: readonly number[]; readonly timed: boolean }
  | { readonly kind: 'send'; readonly frames: number }
  | { readonly kind: 'echo'; readonly which: number }
  | { readonly kind: 'clear' | 'pause' | 'resume' | 'wait' };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('say' as const),
    wordsMs: fc.array(fc.integer({ min: 1, max: 900 }), { maxLength: 8 }),
    timed: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('send' as const), frames: fc.integer({ min: 1, max: 30 }) }),
  fc.record({ kind: fc.constant('echo' as const), which: fc.nat() }),
  fc.record({ kind: fc.constantFrom('clear', 'pause', 'resume', 'wait') }),
);

test('heard never exceeds sent, never counts cleared audio, and its text begins the planned text', () => {
  fc.assert(fc.property(fc.array(step, { maxLength: 120 }), runAgainstCarrier), { numRuns: 500 });
});

interface OnTheWay {
  readonly name: string;
  readonly sentMs: number;
  live: boolean;
}

function runAgainstCarrier(steps: readonly Step[]): void {
  const playout = createPlayout();
  const planned = new Map<string, string>();
  const marks: OnTheWay[] = [];
  let nowMs = 0;
  let sentMs = 0;
  let provenMs = 0;
  let sinceMarkMs = 0;
  let placedUntilMs = 0;
  let longestFrameMs = 0;
  let longestUnmarkedMs = 0;

  const forget = () => {
    for (const mark of marks) mark.live = false;
    sentMs = provenMs;
    sinceMarkMs = 0;
  };
  const echo = (mark: OnTheWay) => {
    const played = playout.acked(mark.name, nowMs);
    expect(mark.live || played.length === 0).toBe(true);
    if (mark.live) provenMs = Math.max(provenMs, mark.sentMs);
    for (const { fromMs, mulaw } of played) {
      expect(fromMs).toBeGreaterThanOrEqual(placedUntilMs);
      placedUntilMs = fromMs + mulaw.length / 8;
    }
  };
  const send = (frames: number) => {
    for (let count = 0; count < frames; count += 1) {
      const out = playout.next();
      if (!out) return;
      if (out.kind === 'audio') {
        sentMs += out.mulaw.length / 8;
        sinceMarkMs += out.mulaw.length / 8;
        longestFrameMs = Math.max(longestFrameMs, out.mulaw.length / 8);
        longestUnmarkedMs = Math.max(longestUnmarkedMs, sinceMarkMs);
      } else {
        marks.push({ name: out.name, sentMs, live: true });
        sinceMarkMs = 0;
      }
    }
  };

  for (const next of steps) {
    nowMs += 13;
    if (next.kind === 'say') say(playout, planned, next, nowMs);
    else if (next.kind === 'send') send(next.frames);
    else if (next.kind === 'echo' && marks.length > 0) {
      const mark = marks[next.which % marks.length];
      if (mark) echo(mark);
    } else if (next.kind === 'clear') {
      playout.clear(nowMs);
      forget();
    } else if (next.kind === 'pause') {
      playout.pause();
      forget();
    } else if (next.kind === 'resume') playout.resume();

    expect(playout.playedMsTotal).toBeCloseTo(provenMs, 6);
    expect(playout.aheadMs).toBeCloseTo(sentMs - provenMs, 6);
    expect(playout.aheadMs).toBeLessThanOrEqual(800);
    let heardMs = 0;
    for (const [id, text] of planned) {
      const heard = playout.heard(id);
      heardMs += heard.ms;
      expect(text.startsWith(heard.text)).toBe(true);
      expect(!heard.complete || heard.text === text).toBe(true);
    }
    expect(heardMs).toBeCloseTo(provenMs, 6);
  }
  expect(longestFrameMs).toBeLessThanOrEqual(100);
  expect(longestUnmarkedMs).toBeLessThan(220);
}

function say(
  playout: ReturnType<typeof createPlayout>,
  planned: Map<string, string>,
  { wordsMs, timed }: { readonly wordsMs: readonly number[]; readonly timed: boolean },
  nowMs: number,
): void {
  const id = `u${planned.size}`;
  const text = wordsMs.map((_, index) => `word${index}`).join(' ');
  planned.set(id, text);
  playout.begin(id, text);
  wordsMs.forEach((ms, index) => {
    const word = { text: `word${index}`, startMs: 0, endMs: ms + (index % 2) };
    playout.append(id, { mulaw: new Uint8Array(ms * 8), words: timed ? [word] : [] });
  });
  playout.finish(id, nowMs);
}
