// One process per data directory. The lock is a listening socket, so it ends with its holder.
import { createHash } from 'node:crypto';
import { mkdir, rm, stat } from 'node:fs/promises';
import { createConnection, createServer } from 'node:net';
import type { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const limits = { answerTimeoutMs: 1_000, longestAnswer: 200 } as const;

export type InstanceLock =
  | { readonly kind: 'acquired'; release(): Promise<void> }
  | { readonly kind: 'held'; readonly heldBy: string };

export async function acquireInstanceLock(dataDirectory: string): Promise<InstanceLock> {
  const address = await lockAddress(dataDirectory);
  const server = await listen(address);
  if (server) return { kind: 'acquired', release: () => close(server) };
  const holder = await askHolder(address);
  if (holder !== null) return { kind: 'held', heldBy: holder };
  // Nobody answers at the file: its process was killed and left it behind.
  await rm(address, { force: true });
  const second = await listen(address);
  if (second) return { kind: 'acquired', release: () => close(second) };
  return { kind: 'held', heldBy: (await askHolder(address)) ?? 'a process that just started' };
}

/** Device and inode name the directory, whatever path or link leads to it. */
async function lockAddress(dataDirectory: string): Promise<string> {
  await mkdir(dataDirectory, { recursive: true });
  const { dev, ino } = await stat(dataDirectory, { bigint: true });
  const digest = createHash('sha256').update(`${dev}:${ino}`).digest('hex');
  const name = `instance-${digest.slice(0, 24)}`;
  // Linux has socket names outside the file system: they vanish with their process, never stale.
  return process.platform === 'linux' ? `\0${name}` : join(tmpdir(), `${name}.sock`);
}

function listen(address: string): Promise<Server | null> {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.end(`process ${process.pid}`);
  });
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(null) : reject(error),
    );
    // Holding the lock must not keep a process alive that has nothing else to do.
    server.listen(address, () => resolve(server.unref()));
  });
}

/** Null when nobody listens there any more. A holder too busy to answer still holds. */
function askHolder(address: string): Promise<string | null> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = createConnection(address);
    socket.setEncoding('utf8').setTimeout(limits.answerTimeoutMs, () => socket.destroy());
    socket.on('data', (text: string) => (answer = (answer + text).slice(0, limits.longestAnswer)));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' || error.code === 'ENOENT') resolve(null);
    });
    socket.on('close', () => resolve(answer || 'another process'));
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
