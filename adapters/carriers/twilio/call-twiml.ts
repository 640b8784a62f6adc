// What Twilio does when the phone is answered: stream both ways to our socket, then hang up.
import twilio from 'twilio';

const limits = { twimlMaxChars: 4_000 } as const;

export function callTwiml(mediaUrl: string): string {
  const response = new twilio.twiml.VoiceResponse();
  response.connect().stream({ url: mediaUrl });
  response.hangup();
  const twiml = response.toString();
  if (twiml.length > limits.twimlMaxChars)
    throw new RangeError(`The media URL makes TwiML of ${twiml.length} characters.`);
  return twiml;
}
