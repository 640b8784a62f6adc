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

/** Follows nothing, keeps nothing of the answer but its status. */
export function postToAddress(target: PinnedRequest): Promise<PostResult> {
  const { clock, signal } = target;
  return new Promise((resolve) => {
    let phase: Phase = 'connecting';
    const request = openRequest(target);
    const connectTimer = clock.setTimer(() => request.destroy(), target.connectTimeoutMs);
    const settle = (result: PostResult) => {
      connectTimer.cancel();
      request.destroy();
      resolve(result);
    };
    request.on('socket', (socket) => {
      socket.once('connect', () => {
        connectTimer.cancel();
        phase = target.url.protocol === 'https:' ? 'securing' : 'waiting';
      });
      socket.once('secureConnect', () => (phase = 'waiting'));
    });
    // Destroying a request without an error still ends in "close", and some ends come without "error".
    request.on('error', (error: NodeJS.ErrnoException) =>
      settle({ kind: 'failed', error: failureOf(error, phase, signal) }),
    );
    request.on('close', () => settle({ kind: 'failed', error: failureOf(null, phase, signal) }));
    request.on(
      'information',
      countTo(limits.informationalMax, () => {
        settle({ kind: 'failed', error: 'bad_response' });
      }),
    );
    request.on('upgrade', (response, socket) => {
      socket.destroy();
      settle({ kind: 'answered', status: response.statusCode ?? 101 });
    });
    request.on('response', (response) => {
      const status = response.statusCode ?? 0;
      drain(response, clock, () => settle({ kind: 'answered', status }));
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

/** The status is known by now, so however the body ends, the answer stands. */
function drain(response: IncomingMessage, clock: Clock, done: () => void) {
  let readBytes = 0;
  const timer = clock.setTimer(done, limits.responseBodyMs);
  const finish = () => {
    timer.cancel();
    done();
  };
  response.on('data', (chunk: Buffer) => {
    readBytes += chunk.byteLength;
    if (readBytes > limits.responseBodyMaxBytes) finish();
  });
  response.once('end', finish).once('error', finish).once('close', finish);
}

function failureOf(
  error: NodeJS.ErrnoException | null,
  phase: Phase,
  signal: AbortSignal,
): PostFailure {
  if (signal.aborted) return 'timeout';
  if (phase === 'connecting') return 'connect_error';
  if (phase === 'securing') return 'tls_error';
  return error?.code?.startsWith('HPE_') ? 'bad_response' : 'connection_lost';
}

function countTo(max: number, exceeded: () => void): () => void {
  let count = 0;
  return () => {
    count += 1;
    if (count > max) exceeded();
  };
}
