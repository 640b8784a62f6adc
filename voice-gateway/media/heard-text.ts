// Which words of an utterance were heard, given how far its audio was played.
import { mulawBytesPerMs } from '../../platform/mulaw.ts';

const limits = {
  /** Unhurried English takes 65 to 80 ms per letter, pauses included. */
  slowSpeechMsPerLetter: 80,
} as const;

/** A planned word and the octet of the utterance at which it has been said. */
export interface PlannedWord {
  readonly text: string;
  readonly endOctet: number;
}

/** Words whose end was played; words come in speaking order. */
export function heardWords(words: readonly PlannedWord[], heardOctets: number): string {
  const firstUnheard = words.findIndex((word) => word.endOctet > heardOctets);
  const heard = firstUnheard === -1 ? words : words.slice(0, firstUnheard);
  return heard.map((word) => word.text).join(' ');
}

/**
 * For voices that tell no word times: spreads the planned text over the audio by letters.
 * While audio is still missing its length is guessed, so that no word counts too early.
 */
export function spreadWords(
  text: string,
  audio: { readonly octets: number; readonly finished: boolean },
): PlannedWord[] {
  const texts = text.split(/\s+/).filter((word) => word !== '');
  const letters = texts.reduce((sum, word) => sum + word.length + 1, 0);
  const octets = audio.finished
    ? audio.octets
    : Math.max(audio.octets, letters * limits.slowSpeechMsPerLetter * mulawBytesPerMs);
  let lettersBefore = 0;
  return texts.map((word) => {
    lettersBefore += word.length + 1;
    return { text: word, endOctet: Math.ceil((octets * lettersBefore) / letters) };
  });
}
