// The official client, pointed at another origin when asked, with one hard deadline per request.
import type twilio from 'twilio';
import type RequestClient from 'twilio/lib/base/RequestClient.js';
import { withinDeadline } from '../within-deadline.ts';
import { twilioPackage } from './twilio-package.ts';

export interface TwilioAccount {
  readonly accountSid: string;
  readonly authToken: string;
  /** Origin of the REST interface: Twilio's own, a region's, or the sandbox's. */
  readonly baseUrl: string;
  readonly requestTimeoutMs: number;
}

export type TwilioClient = twilio.Twilio;

export function createTwilioClient(account: TwilioAccount): TwilioClient {
  const { accountSid, authToken, baseUrl, requestTimeoutMs } = account;
  return twilioPackage()(accountSid, authToken, {
    httpClient: createRelocatedClient(baseUrl, requestTimeoutMs),
    // A repeated request may place a second call.
    autoRetry: false,
    // At "debug" the package prints numbers and bodies.
    logLevel: 'error',
  });
}

/** The package's way to change how it sends is a subclass of its request client. */
function createRelocatedClient(baseUrl: string, timeoutMs: number): RequestClient {
  const { RequestClient: PackageClient } = twilioPackage();
  class RelocatedClient extends PackageClient {
    override request<Data>(options: RequestClient.RequestOptions<Data>) {
      const { pathname, search } = new URL(options.uri);
      const uri = new URL(pathname + search, baseUrl).href;
      return withinDeadline(super.request<Data>({ ...options, uri }), timeoutMs);
    }
  }
  // A kept connection that the other side just closed makes a call's fate unknown for nothing.
  return new RelocatedClient({ timeout: timeoutMs, keepAlive: false });
}
