// One sentence to telephone audio that carries its own words.
import { encodeMulaw, mulawBytesPerMs } from '../../platform/mulaw.ts';
import type { SpeechChunk } from '../../domain/calls/speech.ts';
import { embedSubtitles } from './embed-subtitles.ts';
import type { FliteVoice } from './flite-voice.ts';
import { halveSampleRate } from './halve-sample-rate.ts';
import { placeWords, type VoicedSpan } from './place-words.ts';
import { runFlite } from './run-flite.ts';

const limits = {
  /** Flite pads its sentences; this much silence is kept around the voice. */
  silenceBeforeMs: 30,
  silenceAfterMs: 150,
} as const;

const waveHeaderBytes = 44;
const sampleRateAt = 24;

export function renderSpeech(
  module: WebAssembly.Module,
  voice: FliteVoice,
  sentence: string,
): SpeechChunk {
  const text = plainEnglish(sentence);
  if (!/[a-z0-9]/i.test(text)) return { mulaw: new Uint8Array(0), words: [] };
  const options = ['-voice', voice, '-psdur', '-t', text, '-o', 'wave'];
  const { printed, wave } = runFlite(module, options);
  const pcm = readWave(wave);
  const spans = voicedSpans(printed);
  const fromMs = Math.max(0, (spans.at(0)?.startMs ?? 0) - limits.silenceBeforeMs);
  const toMs = (spans.at(-1)?.endMs ?? 0) + limits.silenceAfterMs;
  const spoken = pcm.subarray(samples(fromMs), samples(toMs));
  const words = placeWords(
    sentence,
    spans.map((span) => ({ startMs: span.startMs - fromMs, endMs: span.endMs - fromMs })),
  );
  return { mulaw: embedSubtitles(encodeMulaw(spoken), words), words };
}

function samples(ms: number): number {
  return Math.round(ms * mulawBytesPerMs);
}

/** Flite reads bytes, not letters: accents, curly quotes and dashes would be spelt out. */
function plainEnglish(sentence: string): string {
  return sentence
    .normalize('NFKD')
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[–—]/g, ', ')
    .replaceAll(/[^\x20-\x7e]/g, '');
}

function readWave(wave: Uint8Array): Int16Array {
  if (wave.length < waveHeaderBytes) throw new Error('flite wrote no audio');
  const sampleRate = new DataView(wave.buffer, wave.byteOffset).getUint32(sampleRateAt, true);
  // Copied, because 16-bit views need an even offset.
  const pcm = new Int16Array(wave.slice(waveHeaderBytes, wave.length & ~1).buffer);
  if (sampleRate === 8_000) return pcm;
  if (sampleRate === 16_000) return halveSampleRate(pcm);
  throw new Error(`flite spoke at an unexpected sample rate: ${sampleRate}`);
}

/** From lines such as "pau:0.220 hh:0.312 pau:0.500": every sound with the second it ends at. */
function voicedSpans(printed: string): VoicedSpan[] {
  const spans: { startMs: number; endMs: number }[] = [];
  let startMs = 0;
  let pauses = true;
  for (const [, sound, endSeconds] of printed.matchAll(/(\S+):(\d+\.\d+)/g)) {
    const endMs = Number(endSeconds) * 1_000;
    const open = pauses ? undefined : spans.at(-1);
    if (sound === 'pau') pauses = true;
    else if (open) open.endMs = endMs;
    else spans.push({ startMs, endMs });
    if (sound !== 'pau') pauses = false;
    startMs = endMs;
  }
  return spans;
}
