// Receivers on loopback, well-behaved and not, for tests of sending.
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import { createServer as createTcpServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';

const pem = (name: string) =>
  readFileSync(new URL(`data/certificates/${name}.pem`, import.meta.url), 'utf8');

export type CertificateName = 'receiver' | 'other' | 'address';

export const trustedCertificates = [pem('receiver'), pem('other'), pem('address')];

export interface Receiver {
  readonly port: number;
  /** Connections that got as far as a request or, without HTTP, a byte stream. */
  readonly hits: () => number;
  close(): void;
}

export function serveHttps(listener: RequestListener, certificate: CertificateName = 'receiver') {
  let hits = 0;
  const server = createServer(identity(certificate), (request, response) => {
    hits += 1;
    listener(request, response);
  });
  return listen(server, () => hits);
}

export function serveHttp(listener: RequestListener) {
  let hits = 0;
  const server = createHttpServer((request, response) => {
    hits += 1;
    listener(request, response);
  });
  return listen(server, () => hits);
}

/** Hands over the bare TLS stream, to answer with bytes that no HTTP library would send. */
export function serveTls(handle: (socket: Socket) => void) {
  let hits = 0;
  const server = createTlsServer(identity('receiver'), (socket) => {
    hits += 1;
    handle(socket.on('error', () => undefined));
  });
  return listen(server, () => hits);
}

/** Takes connections and says nothing. */
export function serveSilence() {
  return listen(createTcpServer(), () => 0);
}

function identity(certificate: CertificateName) {
  return { key: pem(`${certificate}.key`), cert: pem(certificate) };
}

function listen(server: Server, hits: () => number): Promise<Receiver> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  server.on('tlsClientError', () => undefined);
  const close = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () =>
      // A server that listens on a TCP port has an address object.
      resolve({ port: (server.address() as AddressInfo).port, hits, close }),
    );
  });
}
