// Counts against a limit in the database, so that it holds over all processes; one round trip.
import type postgres from 'postgres';
import type { Db } from './db.ts';

export interface WindowLimit {
  /** Names what is counted and for whom, for example `reads:wsp_1`. */
  readonly bucket: string;
  readonly limit: number;
  readonly windowSeconds: number;
  readonly now: Date;
}

export interface Taken {
  readonly allowed: boolean;
  /** Until the window ends; 0 when allowed. */
  readonly retryAfterSeconds: number;
}

interface Waiting extends WindowLimit {
  resolve(taken: Taken): void;
  reject(error: unknown): void;
}

/** What was asked since the event loop last came round, by bucket. */
const gathering = new WeakMap<Db, Map<string, Waiting[]>>();

/**
 * Takes one. The window opens with the first one taken and lets `limit` through until it ends. Whoever
 * asks in the same turn of the event loop shares one statement.
 */
export function takeFromWindow(db: Db, take: WindowLimit): Promise<Taken> {
  return new Promise((resolve, reject) => {
    const buckets = gathering.get(db) ?? gatherFrom(db);
    const waiting = { ...take, resolve, reject };
    const others = buckets.get(take.bucket);
    if (others) others.push(waiting);
    else buckets.set(take.bucket, [waiting]);
  });
}

function gatherFrom(db: Db): Map<string, Waiting[]> {
  const buckets = new Map<string, Waiting[]>();
  gathering.set(db, buckets);
  setImmediate(() => {
    gathering.delete(db);
    void takeTogether(db, buckets);
  });
  return buckets;
}

async function takeTogether(db: Db, buckets: ReadonlyMap<string, Waiting[]>): Promise<void> {
  try {
    const counters = await count(db, buckets);
    for (const { bucket, used, endsAt } of counters) {
      const asked = buckets.get(bucket) ?? [];
      for (const [index, waiting] of asked.entries()) {
        const place = used - asked.length + index + 1;
        waiting.resolve(place <= waiting.limit ? allowed : refused(waiting.now, endsAt));
      }
    }
  } catch (error) {
    for (const waiting of [...buckets.values()].flat()) waiting.reject(error);
  }
}

const allowed: Taken = { allowed: true, retryAfterSeconds: 0 };

function refused(now: Date, endsAt: Date): Taken {
  const seconds = Math.ceil((endsAt.getTime() - now.getTime()) / 1000);
  return { allowed: false, retryAfterSeconds: Math.max(1, seconds) };
}

type Fragment = postgres.PendingQuery<postgres.Row[]>;

interface Counter {
  readonly bucket: string;
  readonly used: number;
  readonly endsAt: Date;
}

function count(db: Db, buckets: ReadonlyMap<string, Waiting[]>): Promise<Counter[]> {
  const rows = [...buckets].flatMap(([bucket, [first, ...others]]) =>
    first ? [{ ...first, bucket, count: others.length + 1 }] : [],
  );
  const asked = db`
    unnest(${rows.map((row) => row.bucket)}::text[],
      ${rows.map((row) => row.now.toISOString())}::timestamptz[],
      ${rows.map((row) => row.windowSeconds)}::int[], ${rows.map((row) => row.count)}::int[])
      as asked(bucket, now, seconds, count)`;
  return db<Counter[]>`${countingSql(db, asked)}`;
}

/**
 * Counts what is asked, a relation (bucket, now, seconds, count), and gives each bucket as it then stands; may
 * stand inside a larger statement. In the order of their names, so that two processes never wait for each other.
 * A window of the far future was opened by a clock that went wrong; it counts as ended.
 */
export function countingSql(db: Db, asked: Fragment) {
  return db`
    insert into rate_windows as w (bucket, opened_at, ends_at, used)
    select bucket, now, now + seconds * interval '1 second', count from ${asked}
    order by bucket
    on conflict (bucket) do update set
      opened_at = case when w.ends_at > excluded.opened_at and w.opened_at <= excluded.ends_at
        then w.opened_at else excluded.opened_at end,
      ends_at = case when w.ends_at > excluded.opened_at and w.opened_at <= excluded.ends_at
        then w.ends_at else excluded.ends_at end,
      used = case when w.ends_at > excluded.opened_at and w.opened_at <= excluded.ends_at
        then w.used else 0 end + excluded.used
    returning bucket, used, ends_at`;
}
