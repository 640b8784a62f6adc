// What Twilio does when the phone is answered: stream both ways to our socket, then hang up.
import { twilioPackage } from './twilio-package.ts';

const limits = { twimlMaxChars: 4_000 } as const;

export function callTwiml(mediaUrl: string): string {
  const response = new (twilioPackage().twiml.VoiceResponse)();
  response.connect().stream({ url: mediaUrl });
  response.hangup();
  const twiml = response.toString();
  if (twiml.length > limits.twimlMaxChars)
    throw new RangeError(`The media URL makes TwiML of ${twiml.length} characters.`);
  return twiml;
}
