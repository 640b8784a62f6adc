// The official client, pointed at another origin when asked; loaded with its first use, because it is large.
import type { Telnyx } from 'telnyx';

export interface TelnyxAccount {
  readonly apiKey: string;
  /** Origin of the REST interface: Telnyx's own, or the sandbox's. */
  readonly baseUrl: string;
  readonly requestTimeoutMs: number;
}

export type TelnyxClient = Telnyx;

export async function createTelnyxClient(account: TelnyxAccount): Promise<TelnyxClient> {
  const { Telnyx: Client } = await import('telnyx');
  const { apiKey, baseUrl, requestTimeoutMs } = account;
  return new Client({
    apiKey,
    baseURL: `${baseUrl.replace(/\/$/, '')}/v2`,
    timeout: requestTimeoutMs,
    // A repeated request may place a second call.
    maxRetries: 0,
    // At "debug" the package prints numbers and bodies.
    logLevel: 'off',
    // Otherwise read from the environment, which only the config reads.
    publicKey: null,
    clientID: null,
    clientSecret: null,
  });
}
