// What the called people say: real speech half of the time, line noise between, as base64 frames.
import { createFlite } from '../../adapters/speech/flite.ts';

const frameOctets = 160;
const text =
  'Hello, yes, this is me. I do remember that. The roof is about fifteen years old, and I pay ' +
  'the bill myself. Next Tuesday in the afternoon would be fine.';

export async function recordPerson(): Promise<readonly Buffer[]> {
  const parts: Uint8Array[] = [];
  await using flite = createFlite();
  for await (const { mulaw } of flite.speak(text, { voice: 'default' }))
    parts.push(mulaw, lineNoise(mulaw.length));
  const audio = Buffer.concat(parts);
  const frames: Buffer[] = [];
  for (let at = 0; at + frameOctets <= audio.length; at += frameOctets)
    frames.push(Buffer.from(audio.subarray(at, at + frameOctets).toString('base64'), 'latin1'));
  return frames;
}

/** The smallest steps around zero, as an idle line has them. */
function lineNoise(octets: number): Uint8Array {
  const steps = [0xff, 0xfe, 0x7f, 0x7e, 0xfd];
  return Uint8Array.from(
    { length: octets },
    (_, index) => steps[(index * 7 + (index >> 3)) % 5] ?? 0xff,
  );
}
