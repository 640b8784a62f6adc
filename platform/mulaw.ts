// G.711 µ-law at 8 kHz, the audio of telephone calls. Pure.

export const mulawBytesPerMs = 8;
/** The byte of a zero sample. */
export const mulawSilence = 0xff;

export function decodeMulaw(mulaw: Uint8Array): Int16Array {
  const pcm = new Int16Array(mulaw.length);
  for (let index = 0; index < mulaw.length; index += 1)
    pcm[index] = sampleOf[mulaw[index] ?? mulawSilence] ?? 0;
  return pcm;
}

export function encodeMulaw(pcm: Int16Array): Uint8Array {
  const mulaw = new Uint8Array(pcm.length);
  for (let index = 0; index < pcm.length; index += 1)
    mulaw[index] = byteOf[(pcm[index] ?? 0) & 0xffff] ?? mulawSilence;
  return mulaw;
}

/** Mean of the samples' magnitudes: 0 is silence, ordinary speech stands above 300. */
export function mulawLoudness(mulaw: Uint8Array): number {
  if (mulaw.length === 0) return 0;
  let sum = 0;
  for (let index = 0; index < mulaw.length; index += 1)
    sum += Math.abs(sampleOf[mulaw[index] ?? mulawSilence] ?? 0);
  return sum / mulaw.length;
}

const bias = 132;
const clip = 32_635;

const sampleOf = Int16Array.from({ length: 256 }, (_, byte) => decodeByte(byte));
/** Indexed by the sample's 16 bits read as an unsigned number. */
const byteOf = Uint8Array.from({ length: 65_536 }, (_, bits) => encodeSample((bits << 16) >> 16));

function decodeByte(byte: number): number {
  const inverted = ~byte & 0xff;
  const magnitude = (((inverted & 0x0f) << 3) + bias) << ((inverted >> 4) & 7);
  return inverted & 0x80 ? bias - magnitude : magnitude - bias;
}

function encodeSample(sample: number): number {
  const sign = sample < 0 ? 0x80 : 0;
  const magnitude = Math.min(Math.abs(sample), clip) + bias;
  const exponent = 24 - Math.clz32(magnitude);
  const mantissa = (magnitude >> (exponent + 3)) & 0x0f;
  return ~(sign | (exponent << 4) | mantissa) & 0xff;
}
