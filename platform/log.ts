// Structured logs: one JSON object per line, a fixed sentence and fields.
import { destination, pino, stdTimeFunctions } from 'pino';
import type { DestinationStream, Logger as PinoLogger } from 'pino';

export type Logger = PinoLogger;

/** Never written, at the top of a line or down to two levels below. */
const secretFields = [
  'authorization',
  'authToken',
  'cookie',
  'password',
  'secret',
  'token',
  'apiKey',
  'phone',
  'transcript',
  'body',
];

export interface LogOptions {
  readonly level: string;
  /** Which of our processes speaks: server, jobs, voice-gateway. */
  readonly process: string;
  /** Standard output unless given. */
  readonly sink?: DestinationStream;
}

/** Writes synchronously, so that the last line before an exit is not lost. */
export function createLogger({ level, process: processName, sink }: LogOptions): Logger {
  return pino(
    {
      level,
      base: { process: processName, pid: process.pid },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: secretPaths(), censor: '[redacted]' },
    },
    sink ?? destination({ dest: 1, sync: true }),
  );
}

function secretPaths(): string[] {
  const headers = ['authorization', 'cookie', 'x-service-signature', 'x-twilio-signature'];
  return [
    ...secretFields.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
    ...headers.flatMap((name) => [`headers["${name}"]`, `*.headers["${name}"]`]),
  ];
}
