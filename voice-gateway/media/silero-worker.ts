// The thread that runs the voice activity model, because inference blocks whoever calls it.
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parentPort } from 'node:worker_threads';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { decodeMulaw, mulawSilence } from '../../platform/mulaw.ts';

/** Windows of different lines, each with the 32 samples before it. */
export interface WindowBatch {
  readonly lines: Int32Array<ArrayBuffer>;
  /** 1 where the line's past no longer matters. */
  readonly fresh: Uint8Array<ArrayBuffer>;
  /** µ-law, `windowSamples` for each line. */
  readonly windows: Uint8Array<ArrayBuffer>;
  readonly closedLines: readonly number[];
}

export type SileroReply =
  { readonly kind: 'ready' } | { readonly kind: 'heard'; readonly probabilities: Float32Array };

const limits = {
  /** 32 of context and 256 new ones; the model takes exactly this at 8 kHz. */
  windowSamples: 288,
  stateHalf: 128,
  fullScale: 32_768,
  /** Frames go first: a batch must not take the processor from the thread that handed it over. */
  niceness: 5,
} as const;

const model = fileURLToPath(import.meta.resolve('@ricky0123/vad-web/dist/silero_vad_v6.onnx'));
const session = await InferenceSession.create(model, {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: 'sequential',
});
const sampleRate = new Tensor('int64', BigInt64Array.of(8_000n), []);
const linearOf = Float32Array.from(
  decodeMulaw(Uint8Array.from({ length: 256 }, (_, byte) => byte)),
  (sample) => sample / limits.fullScale,
);
/** The model's memory of each line: both halves, one after the other. */
const states = new Map<number, Float32Array>();

// Only Linux keeps a priority per thread; elsewhere this would slow the whole process.
if (process.platform === 'linux') setPriority(limits.niceness);
parentPort?.on('message', (batch: WindowBatch) => void infer(batch));
reply({ kind: 'ready' });

/** A rejection ends the thread; its owner then starts another. */
async function infer({ lines, fresh, windows, closedLines }: WindowBatch): Promise<void> {
  for (const line of closedLines) states.delete(line);
  const count = lines.length;
  const output = await session.run({
    input: new Tensor('float32', toLinear(windows), [count, limits.windowSamples]),
    state: new Tensor('float32', gatherStates(lines, fresh), [2, count, limits.stateHalf]),
    sr: sampleRate,
  });
  scatterStates(lines, floatsOf(output['stateN']));
  reply({ kind: 'heard', probabilities: Float32Array.from(floatsOf(output['output'])) });
}

function toLinear(mulaw: Uint8Array): Float32Array {
  const linear = new Float32Array(mulaw.length);
  for (let index = 0; index < mulaw.length; index += 1)
    linear[index] = linearOf[mulaw[index] ?? mulawSilence] ?? 0;
  return linear;
}

function gatherStates(lines: Int32Array, fresh: Uint8Array): Float32Array {
  const { stateHalf } = limits;
  const gathered = new Float32Array(2 * lines.length * stateHalf);
  lines.forEach((line, index) => {
    const state = fresh[index] ? undefined : states.get(line);
    if (!state) return;
    gathered.set(state.subarray(0, stateHalf), index * stateHalf);
    gathered.set(state.subarray(stateHalf), (lines.length + index) * stateHalf);
  });
  return gathered;
}

function scatterStates(lines: Int32Array, updated: Float32Array): void {
  const { stateHalf } = limits;
  lines.forEach((line, index) => {
    const state = states.get(line) ?? new Float32Array(2 * stateHalf);
    const second = (lines.length + index) * stateHalf;
    state.set(updated.subarray(index * stateHalf, (index + 1) * stateHalf));
    state.set(updated.subarray(second, second + stateHalf), stateHalf);
    states.set(line, state);
  });
}

function floatsOf(tensor: Tensor | undefined): Float32Array {
  if (!(tensor?.data instanceof Float32Array)) throw new Error('the model answers with floats');
  return tensor.data;
}

function reply(message: SileroReply): void {
  parentPort?.postMessage(message);
}
