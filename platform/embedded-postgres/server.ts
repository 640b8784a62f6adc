// Runs the server process: start, readiness, guard, stop.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { open, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { systemClock } from '../clock.ts';
import type { Logger } from '../log.ts';
import type { PostgresBinaries } from './binaries.ts';
import { commandAs, type RunAs } from './os-user.ts';
import { readNote } from './postmaster.ts';

const limits = {
  startTimeoutMs: 120_000,
  pollMs: 10,
  /** Another program may take the port first, or a killed server's backends may still be there. */
  startTries: 5,
  retryDelayMs: 300,
  fastStopMs: 20_000,
  shownLogLines: 5,
} as const;

const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '256MB',
  max_wal_size: '2GB',
  synchronous_commit: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
  jit: 'off',
  // Containers often have 64 MB of shared memory, which parallel queries outgrow.
  max_parallel_workers_per_gather: '0',
  // Details and statements carry the customers' values.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
} as const;

const clock = systemClock();

export interface ServerExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface RunningServer {
  readonly port: number;
  readonly ended: Promise<ServerExit>;
  stop(): Promise<void>;
}

export interface ServerOptions {
  readonly binaries: PostgresBinaries;
  readonly user: RunAs | null;
  readonly directory: string;
  readonly logFile: string;
  readonly log: Logger;
}

export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const startedMs = clock.monotonicMs();
  for (let tries = 1; ; tries += 1) {
    const port = await freePort();
    const { server, ended } = await spawnServer(options, port);
    if (await becomesReady(server, ended, options.directory)) {
      const startMs = Math.round(clock.monotonicMs() - startedMs);
      options.log.info({ postgresPid: server.pid, port, startMs }, 'embedded database is ready');
      return { port, ended, stop: guardServer(server, ended, options) };
    }
    if (tries === limits.startTries)
      throw new Error(`The embedded database does not start:\n${await lastLines(options.logFile)}`);
    await clock.sleep(limits.retryDelayMs);
  }
}

async function spawnServer({ binaries, user, directory, logFile }: ServerOptions, port: number) {
  const log = await open(logFile, 'w', 0o600);
  try {
    const flags = ['-D', directory, '-p', String(port), ...settingFlags()];
    const { command, args, as } = commandAs(user, binaries.postgres, flags);
    const server = spawn(command, args, {
      ...as,
      cwd: directory,
      env: { LC_ALL: 'C' },
      // Out of reach of Ctrl-C, which would end it before those who still write to it.
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    });
    const ended = new Promise<ServerExit>((resolve, reject) => {
      server.once('error', reject);
      server.once('exit', (code, signal) => resolve({ code, signal }));
    });
    return { server, ended };
  } finally {
    await log.close();
  }
}

/** The server writes "ready" into its note once it takes connections, crash recovery included. */
async function becomesReady(
  server: ChildProcess,
  ended: Promise<ServerExit>,
  directory: string,
): Promise<boolean> {
  let running = true;
  const watch = ended.finally(() => (running = false));
  const deadlineMs = clock.monotonicMs() + limits.startTimeoutMs;
  while (clock.monotonicMs() < deadlineMs) {
    await Promise.race([watch, clock.sleep(limits.pollMs)]);
    if (!running) return false;
    const note = await readNote(directory);
    if (note?.ready && note.pid === server.pid) return true;
  }
  server.kill('SIGQUIT');
  await ended;
  return false;
}

/** A shell waits for our end of a pipe to close: should we be killed, it ends the server for us. */
function guardServer(server: ChildProcess, ended: Promise<ServerExit>, { user }: ServerOptions) {
  const guard = spawn('/bin/sh', ['-c', 'read -r _; kill -INT "$1"', 'guard', `${server.pid}`], {
    ...(user && { uid: user.uid, gid: user.gid }),
    env: {},
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Without a shell the next start still finds and ends the server.
  guard.once('error', () => undefined);
  void ended.then(() => guard.kill('SIGKILL'));
  return async function stop(): Promise<void> {
    guard.kill('SIGKILL');
    server.kill('SIGINT');
    const impatience = clock.setTimer(() => server.kill('SIGQUIT'), limits.fastStopMs);
    await ended;
    impatience.cancel();
  };
}

function settingFlags(): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

function freePort(): Promise<number> {
  const probe = createServer();
  return new Promise((resolve, reject) => {
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
      probe.close(() => resolve(port));
    });
  });
}

async function lastLines(file: string): Promise<string> {
  const lines = (await readFile(file, 'utf8')).trim().split('\n');
  return lines.slice(-limits.shownLogLines).join('\n');
}
