// The three messages a media stream takes from the customer. Pure.
import { z } from 'zod';

const StreamMessage = z.discriminatedUnion('event', [
  z.strictObject({
    event: z.literal('media'),
    streamSid: z.string(),
    media: z.strictObject({ payload: z.base64() }),
  }),
  z.strictObject({
    event: z.literal('mark'),
    streamSid: z.string(),
    mark: z.strictObject({ name: z.string() }),
  }),
  z.strictObject({ event: z.literal('clear'), streamSid: z.string() }),
]);
export type StreamMessage = z.infer<typeof StreamMessage>;

/** Null for anything the network would not understand, or that belongs to another stream. */
export function parseStreamMessage(data: string, streamSid: string): StreamMessage | null {
  let json: unknown;
  try {
    json = JSON.parse(data);
  } catch {
    return null;
  }
  const { data: message } = StreamMessage.safeParse(json);
  return message?.streamSid === streamSid ? message : null;
}
