// How many concurrent calls one gateway process holds, against a bare WebSocket echo server.
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { LoadOrder, LoadReport } from './gateway/carrier-load.ts';
import type { ServerReport } from './gateway/report-to-parent.ts';
import type { BenchResult } from './bench-result.ts';

const limits = {
  /** A call is held while 99 of 100 frames are handled within one frame's time. */
  p99Ms: 20,
  answered: 0.98,
  /** Past this delay of its own the generator measures itself. */
  ownDelayMs: 10,
  firstCalls: 150,
  growth: 1.6,
  mostCalls: 4_000,
  /** Bisecting stops when the step is this share of the calls held. */
  resolution: 0.07,
  warmUpMs: 2_500,
  measureMs: 3_500,
} as const;

/** What is measured, and what of it must be heard for the figure to mean anything. */
interface Side {
  readonly label: string;
  readonly file: string;
  readonly path: string;
  /** Audio sent to each call per second; the echo never pauses, the agent listens half of the time. */
  readonly leastHeardMs: number;
}

const sides: Record<'floor' | 'measured', Side> = {
  floor: { label: 'floor', file: './gateway/floor-server.ts', path: '/', leastHeardMs: 950 },
  measured: {
    label: 'gateway',
    file: './gateway/gateway-server.ts',
    path: '/media/twilio/token',
    leastHeardMs: 200,
  },
};

export async function benchGateway(): Promise<BenchResult> {
  const floor = await findCapacity(sides.floor);
  const measured = await findCapacity(sides.measured);
  return {
    name: 'gateway',
    floor: floor.calls,
    measured: measured.calls,
    ratio: round(measured.calls / Math.max(1, floor.calls)),
    p50_ms: round(measured.report.p50Ms),
    p99_ms: round(measured.report.p99Ms),
    rss_mb: measured.rssMb,
  };
}

interface Tried {
  readonly calls: number;
  readonly report: LoadReport;
  readonly rssMb: number;
  readonly cpuShare: number;
}

const nothing: Tried = {
  calls: 0,
  report: { p50Ms: 0, p99Ms: 0, ownDelayP99Ms: 0, answered: 0, heardMsPerSecond: 0 },
  rssMb: 0,
  cpuShare: 0,
};

/** Grows until a step fails, then bisects between the last good and the first bad one. */
async function findCapacity(side: Side): Promise<Tried> {
  const server = start(side.file);
  const load = start('./gateway/carrier-load.ts');
  try {
    const port = await portOf(server);
    let held = nothing;
    let failing: number = limits.mostCalls;
    let calls: number = limits.firstCalls;
    while (calls < failing && failing - held.calls > limits.resolution * failing) {
      const step = await tryTwice({ side, server, load, port, calls });
      if (holds(side, step.report)) held = step;
      else failing = calls;
      const grown = Math.round(calls * limits.growth);
      const grows = held.calls === calls && grown < failing;
      calls = grows ? grown : Math.round((held.calls + failing) / 2);
    }
    return held;
  } finally {
    await stop(load);
    await stop(server);
  }
}

interface Step {
  readonly side: Side;
  readonly server: ChildProcess;
  readonly load: ChildProcess;
  readonly port: number;
  readonly calls: number;
}

/** Other work on the machine can spoil one try; only a load that fails twice is too much. */
async function tryTwice(step: Step): Promise<Tried> {
  const first = await tryCalls(step);
  return holds(step.side, first.report) ? first : tryCalls(step);
}

async function tryCalls({ side, server, load, port, calls }: Step): Promise<Tried> {
  const { warmUpMs, measureMs } = limits;
  const before = await usageOf(server);
  const startedMs = performance.now();
  const order: LoadOrder = { port, path: side.path, calls, warmUpMs, measureMs };
  const report = await ask<LoadReport>(load, order);
  const after = await usageOf(server);
  const cpuShare = (after.cpuMs - before.cpuMs) / (performance.now() - startedMs);
  const tried = { calls, report, rssMb: after.rssMb, cpuShare };
  console.error(`${side.label} ${describe(tried)}`);
  return tried;
}

function holds(side: Side, report: LoadReport): boolean {
  const { p99Ms, answered, ownDelayP99Ms, heardMsPerSecond } = report;
  const prompt = p99Ms < limits.p99Ms && ownDelayP99Ms < limits.ownDelayMs;
  return prompt && answered >= limits.answered && heardMsPerSecond >= side.leastHeardMs;
}

function describe({ calls, report, rssMb, cpuShare }: Tried): string {
  const { p50Ms, p99Ms, ownDelayP99Ms, answered, heardMsPerSecond } = report;
  const shares = `answered ${round(answered)} heard ${Math.round(heardMsPerSecond)} ms/s`;
  const times = `p50 ${round(p50Ms)} p99 ${round(p99Ms)} own delay ${round(ownDelayP99Ms)} ms`;
  return `${calls} calls: ${times} ${shares} cpu ${round(cpuShare)} rss ${rssMb} MB`;
}

/** The benchmark's processes end with it: each leaves when its channel closes. */
function start(file: string): ChildProcess {
  return fork(new URL(file, import.meta.url), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.disconnect();
  await once(child, 'exit');
}

async function portOf(server: ChildProcess): Promise<number> {
  const report = await nextMessage<ServerReport>(server);
  if (report.kind !== 'listening') throw new Error('a server first tells where it listens');
  return report.port;
}

async function usageOf(server: ChildProcess): Promise<{ rssMb: number; cpuMs: number }> {
  const report = await ask<ServerReport>(server, 'usage');
  if (report.kind !== 'usage') throw new Error('the server did not tell its usage');
  return report;
}

function ask<Reply>(child: ChildProcess, message: LoadOrder | 'usage'): Promise<Reply> {
  child.send(message);
  return nextMessage<Reply>(child);
}

/** Rejects when the child ends instead of answering. */
async function nextMessage<Reply>(child: ChildProcess): Promise<Reply> {
  const ended = new AbortController();
  const left = () => ended.abort(new Error('a process of the benchmark ended early'));
  child.once('exit', left);
  try {
    // Each child sends only what its report type says.
    const [reply] = (await once(child, 'message', { signal: ended.signal })) as [Reply];
    return reply;
  } finally {
    child.off('exit', left);
  }
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
