// A greeting, a tone, and then a patient silence.
import { encodeMulaw } from '../../../../platform/mulaw.ts';
import { Mouth } from './mouth.ts';
import type { Party, Phone } from './party.ts';
import type { Behaviour } from './person.ts';

const limits = {
  messageMs: 30_000,
  greetingAfterMs: 400,
  toneMs: 500,
  toneHz: 1_000,
  toneHeight: 8_000,
} as const;

export function startMachine(
  { voice, greeting }: Extract<Behaviour, { kind: 'machine' }>,
  phone: Phone,
): Party {
  const mouth = new Mouth(phone, voice);
  let next: 'greeting' | 'tone' | 'message' = 'greeting';
  let messageUntilMs = Number.POSITIVE_INFINITY;
  return {
    exchange(_heard, atMs) {
      if (next === 'greeting' && atMs >= limits.greetingAfterMs) {
        mouth.say(greeting, atMs);
        next = 'tone';
      } else if (next === 'tone' && mouth.isIdle) {
        mouth.play(tone());
        next = 'message';
        messageUntilMs = atMs + limits.toneMs + limits.messageMs;
      } else if (atMs >= messageUntilMs) phone.hangUp();
      return mouth.nextFrame();
    },
    leave: () => mouth.close(),
  };
}

function tone(): Uint8Array {
  const samples = Int16Array.from({ length: limits.toneMs * 8 }, (_, index) =>
    Math.round(limits.toneHeight * Math.sin((2 * Math.PI * limits.toneHz * index) / 8_000)),
  );
  return encodeMulaw(samples);
}
