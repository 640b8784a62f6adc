// Asks Telnyx with one hard deadline per question; the client is made with the first.
import { withinDeadline } from '../within-deadline.ts';
import { createTelnyxClient, type TelnyxClient } from './telnyx-client.ts';

const limits = { requestTimeoutMs: 15_000 } as const;

export interface TelnyxOptions {
  readonly apiKey: string;
  /** Of the call control application that calls are placed with. */
  readonly connectionId: string;
  /** Null where the number's own profile sends the texts. */
  readonly messagingProfileId: string | null;
  readonly baseUrl: string;
  readonly requestTimeoutMs?: number;
}

export type AskTelnyx = <Answer>(
  question: (client: TelnyxClient) => Promise<Answer>,
) => Promise<Answer>;

/** Processes that never ask never load the package. */
export function askTelnyx(
  options: Pick<TelnyxOptions, 'apiKey' | 'baseUrl' | 'requestTimeoutMs'>,
): AskTelnyx {
  const { requestTimeoutMs = limits.requestTimeoutMs } = options;
  let made: Promise<TelnyxClient> | undefined;
  return async (question) => {
    const client = await (made ??= createTelnyxClient({ ...options, requestTimeoutMs }));
    return withinDeadline(question(client), requestTimeoutMs);
  };
}
