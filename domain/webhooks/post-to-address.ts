// One HTTP request over one new connection to one address that was checked before.
import { request as requestHttp } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import type { Clock } from '../../platform/clock.ts';

const limits = {
  responseHeaderMaxBytes: 16_384,
  responseBodyMaxBytes: 65_536,
  responseBodyMs: 1_000,
  informationalMax: 8,
} as const;

export interface PinnedRequest {
  readonly url: URL;
  readonly host: string;
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly connectTimeoutMs: number;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly trustedCertificates?: readonly string[] | undefined;
}

export type PostFailure =
  'timeout' | 'connect_error' | 'tls_error' | 'connection_lost' | 'bad_response';

export type PostResult =
  | { readonly kind: 'answered'; readonly status: number }
  | { readonly kind: 'failed'; readonly error: PostFailure };

type Phase = 'connecting' | 'securing' | 'waiting';

/** Follows nothing, keeps nothing of the answer but its status. Aborting ends it with a failure. */
export function postToAddress(target: PinnedRequest): Promise<PostResult> {
  const { clock } = target;
  return new Promise((resolve) => {
    let phase: Phase = 'connecting';
    const request = openRequest(target);
    const connectTimer = clock.setTimer(() => request.destroy(), target.connectTimeoutMs);
    const fail = (error: PostFailure) => {
      connectTimer.cancel();
      request.destroy();
      resolve({ kind: 'failed', error });
    };
    request.on('socket', (socket) => {
      socket.once('connect', () => {
        connectTimer.cancel();
        phase = target.url.protocol === 'https:' ? 'securing' : 'waiting';
      });
      socket.once('secureConnect', () => (phase = 'waiting'));
    });
    request.on('error', (error: NodeJS.ErrnoException) => fail(failureOf(phase, error.code)));
    request.on('close', () => fail(failureOf(phase, undefined)));
    request.on(
      'information',
      countTo(limits.informationalMax, () => fail('bad_response')),
    );
    request.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve({ kind: 'answered', status: response.statusCode ?? 101 });
    });
    request.on('response', (response) => {
      resolve({ kind: 'answered', status: response.statusCode ?? 0 });
      drain(response, clock, () => request.destroy());
    });
    request.end(target.body);
  });
}

function openRequest(target: PinnedRequest): ClientRequest {
  const { url, host, address, body, headers, signal, trustedCertificates } = target;
  const options = {
    host: address,
    family: isIP(address),
    port: url.port,
    path: url.pathname + url.search,
    method: 'POST',
    // No shared pool, so no connection to an address that was checked for an earlier attempt.
    agent: false,
    maxHeaderSize: limits.responseHeaderMaxBytes,
    signal,
    headers: {
      ...headers,
      Host: url.host,
      'Content-Length': String(body.byteLength),
      Connection: 'close',
    },
  };
  if (url.protocol === 'http:') return requestHttp({ ...options, port: url.port || 80 });
  return requestHttps({
    ...options,
    port: url.port || 443,
    servername: isIP(host) ? '' : host,
    ...(trustedCertificates && { ca: [...trustedCertificates] }),
  });
}

/** Takes a short answer in, so that the receiver can finish it; cuts a long or slow one off. */
function drain(response: IncomingMessage, clock: Clock, cut: () => void) {
  let readBytes = 0;
  const timer = clock.setTimer(cut, limits.responseBodyMs);
  response.on('data', (chunk: Buffer) => {
    readBytes += chunk.byteLength;
    if (readBytes > limits.responseBodyMaxBytes) cut();
  });
  // The status was told already; how the body ends changes nothing.
  response.on('error', () => undefined);
  response.once('close', () => timer.cancel());
}

function failureOf(phase: Phase, code: string | undefined): PostFailure {
  switch (phase) {
    case 'connecting':
      return 'connect_error';
    case 'securing':
      return 'tls_error';
    case 'waiting':
      return code?.startsWith('HPE_') ? 'bad_response' : 'connection_lost';
  }
}

function countTo(max: number, exceeded: () => void): () => void {
  let count = 0;
  return () => {
    count += 1;
    if (count > max) exceeded();
  };
}
