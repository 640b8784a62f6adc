// The server's own note about itself (postmaster.pid), and what an earlier run left of it.
import { execFile } from 'node:child_process';
import { readFile, readlink, realpath, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { systemClock } from '../clock.ts';
import type { Logger } from '../log.ts';

const limits = { fastStopMs: 20_000, immediateStopMs: 10_000, pollMs: 20 } as const;

const clock = systemClock();

export interface PostmasterNote {
  readonly pid: number;
  readonly ready: boolean;
}

/** Null when there is none, or while it is being written. */
export async function readNote(directory: string): Promise<PostmasterNote | null> {
  const text = await readFile(join(directory, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return null;
  return { pid, ready: lines[7]?.startsWith('ready') ?? false };
}

/** Ends the server of a killed run, and makes a note that only looks alive harmless. */
export async function stopLeftover(directory: string, log: Logger): Promise<void> {
  const note = await readNote(directory);
  if (!note) return;
  if (await servesDirectory(note.pid, directory)) {
    log.warn({ postgresPid: note.pid }, 'ending the database server of an earlier run');
    await endServer(note.pid, directory);
    return;
  }
  await adoptNote(directory);
}

/** Fast stop; if clients hold it up, an immediate one, which the next start recovers from. */
async function endServer(pid: number, directory: string): Promise<void> {
  for (const [signal, patienceMs] of [
    ['SIGINT', limits.fastStopMs],
    ['SIGQUIT', limits.immediateStopMs],
  ] as const) {
    process.kill(pid, signal);
    const deadlineMs = clock.monotonicMs() + patienceMs;
    while (clock.monotonicMs() < deadlineMs) {
      if (!(await servesDirectory(pid, directory))) return;
      await clock.sleep(limits.pollMs);
    }
  }
  throw new Error(`The database server ${pid} of an earlier run does not end.`);
}

/** A process number alone proves nothing: after a reboot it may belong to anybody, even to us. */
async function servesDirectory(pid: number, directory: string): Promise<boolean> {
  try {
    if (process.platform === 'linux') {
      const program = await readlink(`/proc/${pid}/exe`);
      const workingDirectory = await readlink(`/proc/${pid}/cwd`);
      return (
        basename(program).startsWith('postgres') && workingDirectory === (await realpath(directory))
      );
    }
    const { stdout } = await promisify(execFile)('ps', ['-o', 'command=', '-p', String(pid)]);
    return stdout.includes('postgres') && stdout.includes(directory);
  } catch {
    return false;
  }
}

/**
 * Postgres refuses to start while the noted number is in use by anyone but its parent. Noting
 * ourselves there, instead of deleting the note, keeps its check for surviving backends.
 * instead of deleting the note, keeps its check for surviving backends in place.
 */
async function adoptNote(directory: string): Promise<void> {
  const file = join(directory, 'postmaster.pid');
  const [, ...rest] = (await readFile(file, 'utf8')).split('\n');
  await writeFile(file, [process.pid, ...rest].join('\n'));
}
