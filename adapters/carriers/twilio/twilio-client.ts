// The official client, pointed at another origin when asked, with one hard deadline per request.
import twilio from 'twilio';
import type RequestClient from 'twilio/lib/base/RequestClient.js';
import { systemClock } from '../../../platform/clock.ts';

export interface TwilioAccount {
  readonly accountSid: string;
  readonly authToken: string;
  /** Origin of the REST interface: Twilio's own, a region's, or the sandbox's. */
  readonly baseUrl: string;
  readonly requestTimeoutMs: number;
}

export type TwilioClient = twilio.Twilio;

export function createTwilioClient(account: TwilioAccount): TwilioClient {
  return twilio(account.accountSid, account.authToken, {
    httpClient: new RelocatedClient(account.baseUrl, account.requestTimeoutMs),
    // A repeated request may place a second call.
    autoRetry: false,
    // At "debug" the package prints numbers and bodies.
    logLevel: 'error',
  });
}

const clock = systemClock();

/** The package's way to change how it sends is a subclass of its request client. */
class RelocatedClient extends twilio.RequestClient {
  readonly #baseUrl: string;
  readonly #timeoutMs: number;

  constructor(baseUrl: string, timeoutMs: number) {
    // A kept connection that the other side just closed makes a call's fate unknown for nothing.
    super({ timeout: timeoutMs, keepAlive: false });
    this.#baseUrl = baseUrl;
    this.#timeoutMs = timeoutMs;
  }

  override request<Data>(options: RequestClient.RequestOptions<Data>) {
    const { pathname, search } = new URL(options.uri);
    const uri = new URL(pathname + search, this.#baseUrl).href;
    return this.#withinDeadline(super.request<Data>({ ...options, uri }));
  }

  /** The package's own timeout starts again with every byte, and only once connected. */
  #withinDeadline<Answer>(answer: Promise<Answer>): Promise<Answer> {
    const { promise, reject } = Promise.withResolvers<never>();
    const timer = clock.setTimer(
      () => reject(Object.assign(new Error('carrier took too long'), { code: 'ETIMEDOUT' })),
      this.#timeoutMs,
    );
    return Promise.race([answer, promise]).finally(() => timer.cancel());
  }
}
