// Real speech without any vendor: flite, compiled to WebAssembly, in a thread of its own.
import type { SpeechChunk, TextToSpeech } from '../../domain/calls/speech.ts';
import { fliteVoiceOf, type FliteVoice } from './flite-voice.ts';
import { FliteThread } from './flite-thread.ts';
import { SpeechCache } from './speech-cache.ts';
import { splitSentences } from './split-sentences.ts';

/** Each sentence is a chunk; its words also stand hidden in its audio, see subtitles.ts. */
export function createFlite(): TextToSpeech & AsyncDisposable {
  const thread = new FliteThread();
  const cache = new SpeechCache();
  const render = (voice: FliteVoice, sentence: string) =>
    cache.get(`${voice} ${sentence}`, () => thread.render(voice, sentence));
  return {
    name: 'flite',
    speak: (text, { voice, signal }) =>
      speakSentences(
        splitSentences(text),
        (sentence) => render(fliteVoiceOf(voice), sentence),
        signal,
      ),
    [Symbol.asyncDispose]: () => thread[Symbol.asyncDispose](),
  };
}

async function* speakSentences(
  sentences: readonly string[],
  render: (sentence: string) => Promise<SpeechChunk>,
  signal: AbortSignal | undefined,
): AsyncGenerator<SpeechChunk, void, undefined> {
  let ahead = renderAt(0);
  for (let index = 0; index < sentences.length; index += 1) {
    if (signal?.aborted) return;
    const chunk = await untilAborted(ahead, signal);
    if (chunk === null || chunk === undefined) return;
    ahead = renderAt(index + 1);
    if (chunk.mulaw.length > 0) yield chunk;
  }

  /** The next sentence is rendered while this one is played. */
  function renderAt(index: number): Promise<SpeechChunk | null> {
    const sentence = sentences[index];
    const chunk = sentence === undefined ? Promise.resolve(null) : render(sentence);
    // A listener who leaves early never looks at the sentence ahead, so its failure is nobody's.
    chunk.catch(() => {});
    return chunk;
  }
}

function untilAborted<Value>(
  value: Promise<Value>,
  signal: AbortSignal | undefined,
): Promise<Value | null> {
  if (!signal) return value;
  return new Promise((resolve, reject) => {
    const leave = () => resolve(null);
    signal.addEventListener('abort', leave, { once: true });
    value.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}
