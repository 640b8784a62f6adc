// Ports of this machine that nobody listens on.
import { createServer } from 'node:net';
import type { Clock } from './clock.ts';

const pollMs = 100;

/** The first free port at or after `from`. Another process may still take it before its user does. */
export async function findFreePort(from: number): Promise<number> {
  for (let port = from; port <= 65_535; port++) if (await isFree(port)) return port;
  throw new Error(`No port from ${from} up is free.`);
}

/** True once nobody listens there; the processes of a killed run may take a moment to end. */
export async function becomesFree(
  port: number,
  clock: Clock,
  patienceMs: number,
): Promise<boolean> {
  const deadlineMs = clock.monotonicMs() + patienceMs;
  while (!(await isFree(port))) {
    if (clock.monotonicMs() >= deadlineMs) return false;
    await clock.sleep(pollMs);
  }
  return true;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
