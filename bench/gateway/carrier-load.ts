// A carrier with many calls: sends 20 ms frames on schedule, plays what it gets, echoes marks.
import { connectLine } from './carrier-line.ts';
import type { CarrierLine, LineCounters } from './carrier-line.ts';
import { recordPerson } from './person-audio.ts';

export interface LoadOrder {
  readonly port: number;
  readonly path: string;
  readonly calls: number;
  readonly warmUpMs: number;
  readonly measureMs: number;
}

export interface LoadReport {
  /** From a frame's scheduled time to the answer that proves it handled. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** How late this generator itself was; a late one measures itself. */
  readonly ownDelayP99Ms: number;
  /** Share of the expected answers that came. */
  readonly answered: number;
  /** Audio received per call and second of measuring, in milliseconds. */
  readonly heardMsPerSecond: number;
}

const limits = {
  frameMs: 20,
  /** Upgrades under way at once. */
  dialsAtOnce: 25,
} as const;

const person = await recordPerson();
const counters: LineCounters = { latenciesMs: [], probes: 0, heardOctets: 0 };
/** Calls last from one order to the next, so that older ones are deep in conversation. */
const lines: CarrierLine[] = [];

process.on('disconnect', () => process.exit());
process.on('message', (order: LoadOrder) => {
  void runLoad(order).then((report) => process.send?.(report));
});

async function runLoad(order: LoadOrder): Promise<LoadReport> {
  for (const line of lines.splice(order.calls)) line.close();
  const dialing = dialMissing(order);
  const ownDelays = await keepSending(order);
  await dialing;
  const latencies = counters.latenciesMs.toSorted((a, b) => a - b);
  return {
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
    ownDelayP99Ms: quantile(
      ownDelays.toSorted((a, b) => a - b),
      0.99,
    ),
    answered: latencies.length / Math.max(1, counters.probes),
    heardMsPerSecond: counters.heardOctets / 8 / order.calls / (order.measureMs / 1_000),
  };
}

/** Also replaces the calls that the server has ended meanwhile. */
async function dialMissing({ port, path, calls }: LoadOrder): Promise<void> {
  while (lines.length < calls) {
    const batch = Math.min(limits.dialsAtOnce, calls - lines.length);
    const dials = Array.from({ length: batch }, () =>
      connectLine({ port, path, person, counters }),
    );
    lines.push(...(await Promise.all(dials)));
  }
}

/** Each call has its own place within the 20 ms, so that frames come evenly, as from many phones. */
async function keepSending(order: LoadOrder): Promise<number[]> {
  const endMs = performance.now() + order.warmUpMs + order.measureMs;
  const ownDelays: number[] = [];
  let dueMs = performance.now();
  let next = 0;
  let measuring = false;
  for (let nowMs = dueMs; nowMs < endMs; nowMs = performance.now()) {
    if (!measuring && nowMs > endMs - order.measureMs) {
      measuring = true;
      Object.assign(counters, { latenciesMs: [], probes: 0, heardOctets: 0 });
    }
    if (measuring) ownDelays.push(Math.max(0, nowMs - dueMs));
    for (; dueMs <= nowMs; dueMs += limits.frameMs / order.calls) {
      sendOrRedial(next, order, dueMs, nowMs);
      next = (next + 1) % order.calls;
    }
    await pause(1);
  }
  return ownDelays;
}

function sendOrRedial(index: number, order: LoadOrder, dueMs: number, nowMs: number): void {
  const line = lines[index];
  if (!line?.over) return line?.sendFrame(dueMs, nowMs);
  lines.splice(index, 1);
  void dialMissing(order);
}

/** The load generator owns its timers: it is the clock of this benchmark. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Infinity;
}
