// The envelope of every event that Telnyx posts. Pure.
import { z } from 'zod';

const Event = z.object({
  data: z.object({
    id: z.string().min(1),
    event_type: z.string(),
    payload: z.looseObject({}),
  }),
});

const OfCall = z.object({ call_control_id: z.string().min(1) });

export interface TelnyxEvent {
  /** The same however often the event is delivered. */
  readonly id: string;
  readonly type: string;
  readonly payload: object;
}

/** Null when the body is none. */
export function parseEvent(body: string): TelnyxEvent | null {
  const parsed = Event.safeParse(parseJson(body));
  if (!parsed.success) return null;
  const { id, event_type: type, payload } = parsed.data.data;
  return { id, type, payload };
}

export function callIdOf(payload: object): string | null {
  return OfCall.safeParse(payload).data?.call_control_id ?? null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
