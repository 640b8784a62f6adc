// Child processes: started, awaited until ready, restarted when they end unasked, ended on request.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { systemClock } from './clock.ts';
import type { Logger } from './log.ts';

const limits = {
  readyTimeoutMs: 60_000,
  stopTimeoutMs: 25_000,
  firstRestartDelayMs: 500,
  longestRestartDelayMs: 30_000,
  /** A child that lived this long starts again with the first delay. */
  healthyAfterMs: 60_000,
} as const;

const readyMessage = 'ready';
const clock = systemClock();

export interface SuperviseOptions {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly log: Logger;
  /** Whether a child that ends unasked is started again. */
  readonly restart: boolean;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface SupervisedProcess {
  /** Of the child that runs now; undefined between two of them. */
  readonly pid: () => number | undefined;
  /** The last exit: after stop, or when a child that is not restarted ends. */
  readonly ended: Promise<Exit>;
  /** SIGTERM, then patience, then SIGKILL. Resolves when the child is gone. */
  stop(): Promise<void>;
}

export class ChildStartError extends Error {
  override readonly name = 'ChildStartError';
}

/** Resolves when the child has called tellReady; throws ChildStartError if the first one fails. */
export async function superviseProcess(options: SuperviseOptions): Promise<SupervisedProcess> {
  const stopping = new AbortController();
  let child = startChild(options);
  if (!(await child.ready)) {
    await endChild(child);
    const { code, signal } = await child.exited;
    const end = signal ?? `code ${code}`;
    throw new ChildStartError(`${options.name} ended with ${end} before it was ready`);
  }
  const keepRunning = async (): Promise<Exit> => {
    let failures = 0;
    for (;;) {
      const startedMs = clock.monotonicMs();
      if (!(await child.ready)) await endChild(child);
      const exit = await child.exited;
      if (stopping.signal.aborted) return exit;
      options.log.error({ child: options.name, ...exit }, 'child process ended unasked');
      if (!options.restart) return exit;
      failures = clock.monotonicMs() - startedMs >= limits.healthyAfterMs ? 0 : failures;
      await clock.sleep(restartDelayMs(failures++), stopping.signal);
      if (stopping.signal.aborted) return exit;
      child = startChild(options);
    }
  };
  const ended = keepRunning();
  return {
    pid: () => (isRunning(child) ? child.process.pid : undefined),
    ended,
    async stop() {
      stopping.abort();
      await endChild(child);
      await ended;
    },
  };
}

/** Child side: says that it serves now. Does nothing in a process that nobody supervises. */
export function tellReady(): void {
  process.send?.(readyMessage);
}

/** Child side: runs once when the parent is gone, even by SIGKILL. */
export function onParentGone(run: () => void): void {
  if (process.send && !process.connected) run();
  else process.once('disconnect', run);
}

interface RunningChild {
  readonly process: ChildProcess;
  /** False when it ended, or took too long, before it was ready. */
  readonly ready: Promise<boolean>;
  readonly exited: Promise<Exit>;
}

function startChild({ name, command, args, env, log }: SuperviseOptions): RunningChild {
  // A process group of its own: Ctrl-C reaches the parent only, which ends its children in order.
  const child = spawn(command, args, {
    env,
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const exited = new Promise<Exit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    child.once('error', (error) => {
      log.error({ child: name, err: error }, 'child process cannot be started');
      if (child.pid === undefined) resolve({ code: null, signal: null });
    });
  });
  const ready = new Promise<boolean>((resolve) => {
    const timer = clock.setTimer(() => resolve(false), limits.readyTimeoutMs);
    child.on('message', (message) => message === readyMessage && resolve(true));
    void exited.then(() => resolve(false)).finally(() => timer.cancel());
  });
  void ready.then(
    (isReady) =>
      isReady && log.info({ child: name, childPid: child.pid }, 'child process is ready'),
  );
  return { process: child, ready, exited };
}

async function endChild(child: RunningChild): Promise<void> {
  if (!isRunning(child)) return;
  child.process.kill('SIGTERM');
  const killer = clock.setTimer(() => child.process.kill('SIGKILL'), limits.stopTimeoutMs);
  await child.exited;
  killer.cancel();
}

function isRunning({ process: child }: RunningChild): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

function restartDelayMs(failures: number): number {
  return Math.min(limits.longestRestartDelayMs, limits.firstRestartDelayMs * 2 ** failures);
}
