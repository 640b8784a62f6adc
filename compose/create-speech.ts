// Voice, ears and brain of the calls: what works with no account.
import { createScriptBrain } from '../adapters/brains/script-brain.ts';
import { createFlite } from '../adapters/speech/flite.ts';
import { createSubtitlesRecogniser } from '../adapters/speech/subtitles.ts';

export function createSpeech() {
  const tts = createFlite();
  return {
    speech: { tts, stt: createSubtitlesRecogniser() },
    brain: createScriptBrain(),
    close: async () => tts[Symbol.asyncDispose](),
  };
}
