// The only reader of the time of day, and the only owner of timers.

const limits = {
  /** Node fires at once when asked to wait longer than this, so longer waits are chained. */
  longestTimerMs: 2_147_483_647,
} as const;

export interface Timer {
  cancel(): void;
}

export interface Clock {
  now(): Date;
  /** Never jumps; only differences mean anything. */
  monotonicMs(): number;
  setTimer(run: () => void, delayMs: number): Timer;
  /** Resolves when the time is over, or at once and without error on abort. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** A clock that stands still until it is turned. */
export interface TurnableClock extends Clock {
  /** Fires what falls due on the way, in order, and lets promises settle after each timer. */
  turn(ms: number): Promise<void>;
}

/** The machine's clock, shifted when a test run should live at another hour. */
export function systemClock(offsetMs = 0): Clock {
  return {
    now: () => new Date(Date.now() + offsetMs),
    monotonicMs: () => performance.now(),
    setTimer: startTimer,
    sleep: (ms, signal) => sleepWith(startTimer, ms, signal),
  };
}

export function turnableClock(start: Date): TurnableClock {
  let elapsedMs = 0;
  let pending: { dueMs: number; run: () => void }[] = [];
  const setTimer = (run: () => void, delayMs: number): Timer => {
    const entry = { dueMs: elapsedMs + Math.max(0, delayMs), run };
    pending.push(entry);
    return { cancel: () => void (pending = pending.filter((other) => other !== entry)) };
  };
  const takeDue = (untilMs: number) => {
    const due = pending.filter((entry) => entry.dueMs <= untilMs);
    const next = due.toSorted((a, b) => a.dueMs - b.dueMs)[0];
    pending = pending.filter((entry) => entry !== next);
    return next;
  };
  return {
    now: () => new Date(start.getTime() + elapsedMs),
    monotonicMs: () => elapsedMs,
    setTimer,
    sleep: (ms, signal) => sleepWith(setTimer, ms, signal),
    async turn(ms) {
      const untilMs = elapsedMs + ms;
      await settlePromises();
      for (let next = takeDue(untilMs); next; next = takeDue(untilMs)) {
        elapsedMs = Math.max(elapsedMs, next.dueMs);
        next.run();
        await settlePromises();
      }
      elapsedMs = untilMs;
    },
  };
}

function startTimer(run: () => void, delayMs: number): Timer {
  let handle: NodeJS.Timeout;
  const wait = (remainingMs: number) => {
    const stepMs = Math.min(remainingMs, limits.longestTimerMs);
    handle = setTimeout(() => (stepMs < remainingMs ? wait(remainingMs - stepMs) : run()), stepMs);
  };
  wait(delayMs);
  return { cancel: () => clearTimeout(handle) };
}

function sleepWith(setTimer: Clock['setTimer'], ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const wake = () => {
      timer.cancel();
      signal?.removeEventListener('abort', wake);
      resolve();
    };
    const timer = setTimer(wake, ms);
    signal?.addEventListener('abort', wake, { once: true });
  });
}

function settlePromises(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
