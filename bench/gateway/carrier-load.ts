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

const frameMs = 20;
const person = await recordPerson();

process.on('disconnect', () => process.exit());
process.on('message', (order: LoadOrder) => {
  void runLoad(order).then((report) => process.send?.(report));
});

async function runLoad(order: LoadOrder): Promise<LoadReport> {
  const counters: LineCounters = { latenciesMs: [], probes: 0, heardOctets: 0, lost: 0 };
  const lines: CarrierLine[] = [];
  while (lines.length < order.calls) {
    const batch = Math.min(25, order.calls - lines.length);
    const opening = Array.from({ length: batch }, () =>
      connectLine({ port: order.port, path: order.path, person, counters }),
    );
    lines.push(...(await Promise.all(opening)));
  }
  const ownDelays = await keepSending(lines, counters, order);
  // Answers under way at the end still count.
  await pause(200);
  for (const line of lines) line.close();
  const latencies = counters.latenciesMs.toSorted((a, b) => a - b);
  return {
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
    ownDelayP99Ms: quantile(
      ownDelays.toSorted((a, b) => a - b),
      0.99,
    ),
    answered: counters.lost > 0 ? 0 : latencies.length / Math.max(1, counters.probes),
    heardMsPerSecond: counters.heardOctets / 8 / order.calls / (order.measureMs / 1_000),
  };
}

/** Each call has its own place within the 20 ms, so that frames come evenly, as from many phones. */
async function keepSending(
  lines: readonly CarrierLine[],
  counters: LineCounters,
  { warmUpMs, measureMs }: LoadOrder,
): Promise<number[]> {
  const startMs = performance.now();
  const gapMs = frameMs / lines.length;
  const ownDelays: number[] = [];
  let sent = 0;
  let measuring = false;
  for (;;) {
    const nowMs = performance.now();
    if (nowMs - startMs > warmUpMs + measureMs) return ownDelays;
    if (!measuring && nowMs - startMs > warmUpMs) {
      measuring = true;
      Object.assign(counters, { latenciesMs: [], probes: 0, heardOctets: 0 });
    }
    if (measuring) ownDelays.push(Math.max(0, nowMs - startMs - sent * gapMs));
    for (; startMs + sent * gapMs <= nowMs; sent += 1)
      lines[sent % lines.length]?.sendFrame(startMs + sent * gapMs, nowMs);
    await pause(1);
  }
}

/** The load generator owns its timers: it is the clock of this benchmark. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Infinity;
}
