// The voices inside flite.wasm that speak any text.

export const fliteVoices = ['slt', 'rms', 'awb', 'kal'] as const;
export type FliteVoice = (typeof fliteVoices)[number];

/** Agents may carry another vendor's voice; they are heard all the same. */
export function fliteVoiceOf(voice: string): FliteVoice {
  return fliteVoices.find((known) => known === voice) ?? 'slt';
}
