import { describe, expect, test } from 'vitest';
import type { SpeechChunk } from '../../domain/calls/speech.ts';
import { createPlayout } from '../../voice-gateway/media/playout.ts';
import type { Playout } from '../../voice-gateway/media/playout.ts';

describe('the playout', () => {
  test('sends small frames, marks each word, and stays less than a second ahead', () => {
    const playout = createPlayout();
    say(playout, 'u1', speech(['Good', 400], ['morning', 700], ['to', 800], ['you', 3_000]));
    const sent = sendAll(playout);
    expect(sent.frames.every((ms) => ms >= 20 && ms <= 100)).toBe(true);
    expect(sent.ms).toBeLessThanOrEqual(800);
    expect(sent.ms).toBeGreaterThan(700);
    expect(sent.markedAtMs).toEqual([200, 400, 600, 700, 800]);
  });

  test('counts as heard what marks prove, word by word', () => {
    const playout = createPlayout();
    say(playout, 'u1', speech(['Good', 400], ['morning', 700], ['Ada', 1_000]));
    const { marks } = sendAll(playout);
    expect(playout.heard('u1')).toEqual(nothingHeard);
    playout.acked(marks[0] ?? '', 250);
    expect(playout.heard('u1')).toMatchObject({ ms: 200, text: '' });
    playout.acked(marks[1] ?? '', 450);
    expect(playout.heard('u1')).toMatchObject({ ms: 400, text: 'Good', complete: false });
    playUntilDone(playout, 600);
    expect(playout.heard('u1')).toMatchObject({
      ms: 1_000,
      text: 'Good morning Ada',
      complete: true,
    });
    expect(playout).toMatchObject({ playedMsTotal: 1_000, aheadMs: 0, remainingMs: 0 });
  });

  test('an interruption clears the rest, and the marks it echoes prove nothing', () => {
    const playout = createPlayout();
    say(playout, 'u1', speech(['Stop', 300], ['here', 600]));
    const { marks } = sendAll(playout);
    playout.acked(marks[1] ?? '', 350);
    playout.clear(400);
    for (const mark of marks) expect(playout.acked(mark, 410)).toEqual([]);
    expect(playout.heard('u1')).toMatchObject({ ms: 300, text: 'Stop', complete: false });
    expect(playout.next()).toBeNull();
    expect(playout.idleSinceMs).toBe(400);
  });

  test('audio that the voice delivers after an interruption is never sent', () => {
    const playout = createPlayout();
    playout.begin('u1', 'late words');
    playout.clear(10);
    playout.append('u1', speech(['late', 300]));
    playout.finish('u1', 20);
    expect(playout.next()).toBeNull();
    expect(playout.heard('u1')).toEqual(nothingHeard);
  });

  test('a false interruption goes on after the last word heard', () => {
    const playout = createPlayout();
    say(playout, 'u1', speech(['Let', 200], ['me', 400], ['explain', 800]));
    const { marks } = sendAll(playout);
    playout.acked(marks[0] ?? '', 210);
    playout.pause();
    expect(playout.next()).toBeNull();
    for (const mark of marks.slice(1)) expect(playout.acked(mark, 300)).toEqual([]);
    playout.resume();
    expect(sendAll(playout).ms).toBe(600);
  });

  test('the idle time begins when the last word was heard, not when it was sent', () => {
    const playout = createPlayout();
    expect(playout.idleSinceMs).toBe(0);
    say(playout, 'u1', speech(['Hello', 200]));
    const { marks } = sendAll(playout);
    expect(playout.idleSinceMs).toBeNull();
    playout.acked(marks[0] ?? '', 420);
    expect(playout.idleSinceMs).toBe(420);
  });

  test('an utterance whose voice brought nothing is never complete', () => {
    const playout = createPlayout();
    playout.begin('notice', 'This call may be recorded.');
    playout.finish('notice', 5);
    expect(playout.next()).toBeNull();
    expect(playout.heard('notice').complete).toBe(false);
    expect(playout.idleSinceMs).toBe(5);
  });

  test('an utterance waits for its own voice, and the next one for it', () => {
    const playout = createPlayout();
    playout.begin('u1', 'one');
    say(playout, 'u2', speech(['two', 200]));
    expect(playout.next()).toBeNull();
    playout.append('u1', speech(['one', 200]));
    playout.finish('u1', 0);
    expect(sendAll(playout).ms).toBe(400);
  });

  test('what is sent while the voice still works is marked without waiting for more', () => {
    const playout = createPlayout();
    playout.begin('u1', 'one two');
    playout.append('u1', speech(['one', 130]));
    const { marks, ms } = sendAll(playout);
    expect([marks.length, ms]).toEqual([1, 130]);
  });

  test('without word times the text follows the share of audio heard', () => {
    const playout = createPlayout();
    playout.begin('u1', 'four more words here');
    playout.append('u1', { mulaw: new Uint8Array(6_400), words: [] });
    playout.finish('u1', 0);
    const { marks } = sendAll(playout);
    playout.acked(marks[1] ?? '', 450);
    expect(playout.heard('u1').text).toBe('four more');
    playUntilDone(playout, 500);
    expect(playout.heard('u1').text).toBe('four more words here');
  });

  test('played audio stands where it was heard: seamless in a run, anew after a pause', () => {
    const playout = createPlayout();
    say(playout, 'u1', speech(['One', 400]));
    const first = sendAll(playout).marks.map((mark, index) =>
      playout.acked(mark, 1_200 + index * 230),
    );
    say(playout, 'u2', speech(['Two', 200]));
    const second = sendAll(playout).marks.map((mark) => playout.acked(mark, 5_200));
    const places = [...first, ...second]
      .flat()
      .map(({ fromMs, mulaw }) => [fromMs, mulaw.length / 8]);
    expect(places).toEqual([
      [1_000, 200],
      [1_200, 200],
      [5_000, 200],
    ]);
  });
});

const nothingHeard = { ms: 0, text: '', complete: false, startMs: null, lastHeardMs: null };

function speech(...words: readonly (readonly [text: string, endMs: number])[]): SpeechChunk {
  const endMs = words.at(-1)?.[1] ?? 0;
  return {
    mulaw: new Uint8Array(endMs * 8).fill(0x55),
    words: words.map(([text, end]) => ({ text, startMs: 0, endMs: end })),
  };
}

function say(playout: Playout, id: string, chunk: SpeechChunk): void {
  playout.begin(id, chunk.words.map((word) => word.text).join(' '));
  playout.append(id, chunk);
  playout.finish(id, 0);
}

function sendAll(playout: Playout) {
  const frames: number[] = [];
  const marks: string[] = [];
  const markedAtMs: number[] = [];
  let ms = 0;
  for (let out = playout.next(); out; out = playout.next()) {
    if (out.kind === 'audio') {
      frames.push(out.mulaw.length / 8);
      ms += out.mulaw.length / 8;
    } else {
      marks.push(out.name);
      markedAtMs.push(ms);
    }
  }
  return { frames, marks, markedAtMs, ms };
}

/** Acknowledges whatever is on the way until nothing more is. */
function playUntilDone(playout: Playout, nowMs: number): void {
  for (let sequence = 1; sequence < 1_000; sequence += 1) {
    playout.acked(`g${playout.generation}:${sequence}`, nowMs);
    sendAll(playout);
  }
}
