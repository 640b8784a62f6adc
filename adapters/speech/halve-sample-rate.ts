// 16 kHz to 8 kHz for one complete recording, so the filter needs no memory between calls. Pure.

/** Low-pass at 3.6 kHz, then every second sample. */
export function halveSampleRate(pcm: Int16Array): Int16Array {
  const halved = new Int16Array(pcm.length >> 1);
  for (let index = 0; index < halved.length; index += 1) {
    let sum = 0;
    const first = index * 2 - halfTaps;
    for (let tap = 0; tap < kernel.length; tap += 1)
      sum += (kernel[tap] ?? 0) * (pcm[first + tap] ?? 0);
    halved[index] = Math.max(-32_768, Math.min(32_767, Math.round(sum)));
  }
  return halved;
}

const halfTaps = 24;
const cutOff = 3_600 / 16_000;
const kernel = windowedSinc();

/** A Hamming-windowed sinc whose taps sum to one, so loudness stays as it was. */
function windowedSinc(): Float64Array {
  const taps = Float64Array.from({ length: halfTaps * 2 + 1 }, (_, index) => {
    const distance = index - halfTaps;
    const phase = 2 * Math.PI * cutOff * distance;
    const sinc = distance === 0 ? 2 * cutOff : Math.sin(phase) / (Math.PI * distance);
    return sinc * (0.54 + 0.46 * Math.cos((Math.PI * distance) / halfTaps));
  });
  const total = taps.reduce((sum, tap) => sum + tap, 0);
  return taps.map((tap) => tap / total);
}
