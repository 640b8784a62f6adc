// Turns one speech probability per window into the starts and ends of speech. Pure.

const limits = {
  speechProbability: 0.5,
  /** Lower than the threshold of speech, so that a word's soft middle does not end it. */
  silenceProbability: 0.35,
  /** 96 ms: a click or a breath is shorter. */
  startWindows: 3,
  /** 224 ms: endpointing adds its own wait on top. */
  endWindows: 7,
} as const;

export interface VoiceListener {
  /** Media time at which the speech began, a few windows ago. */
  started(atMs: number): void;
  /** Media time at which the speech ended, a few windows ago. */
  ended(atMs: number): void;
}

export interface SpeechDetector {
  hear(probability: number, fromMs: number, toMs: number): void;
}

export function createSpeechDetector(listener: VoiceListener): SpeechDetector {
  let speaking = false;
  /** Windows in a row that speak against the present state. */
  let against = 0;
  let changeMs = 0;

  return {
    hear(probability, fromMs, toMs) {
      const contradicts = speaking
        ? probability < limits.silenceProbability
        : probability >= limits.speechProbability;
      if (!contradicts) {
        against = 0;
        if (speaking) changeMs = toMs;
        return;
      }
      against += 1;
      if (!speaking && against === 1) changeMs = fromMs;
      if (against < (speaking ? limits.endWindows : limits.startWindows)) return;
      speaking = !speaking;
      against = 0;
      if (speaking) listener.started(changeMs);
      else listener.ended(changeMs);
      if (speaking) changeMs = toMs;
    },
  };
}
