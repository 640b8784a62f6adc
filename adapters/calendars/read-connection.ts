// Settings and credentials as an adapter wants them; what is wrong is told by field, and no value is repeated.
import { z } from 'zod';
import type { CalendarConnection } from '../../domain/calls/calendar.ts';

export function readConnection<Settings, Credentials>(
  connection: CalendarConnection,
  shape: { settings: z.ZodType<Settings>; credentials: z.ZodType<Credentials> },
): { settings: Settings; credentials: Credentials } {
  return {
    settings: parse('settings', shape.settings, connection.settings),
    credentials: parse('credentials', shape.credentials, parseJson(connection.credentials)),
  };
}

function parse<Value>(what: string, shape: z.ZodType<Value>, value: unknown): Value {
  const parsed = shape.safeParse(value);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map(
    ({ path, message }) => `${[what, ...path].join('.')}: ${message}`,
  );
  throw new Error(lines.join('\n'));
}

/** The parser's own message would quote the text. */
function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null') as unknown;
  } catch {
    throw new Error('credentials: must be a JSON object');
  }
}
