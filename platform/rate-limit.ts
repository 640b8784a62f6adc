// Counts against a limit in the database, so that it holds over all processes; one round trip.
import type postgres from 'postgres';
import type { Db } from './db.ts';
import { shareFlight } from './share-flight.ts';

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

const askers = new WeakMap<Db, (take: WindowLimit) => Promise<Taken>>();

/**
 * Takes one. The window opens with the first one taken and lets `limit` through until it ends. Whoever
 * asks while a count is on its way shares the next statement.
 */
export function takeFromWindow(db: Db, take: WindowLimit): Promise<Taken> {
  const known = askers.get(db);
  if (known) return known(take);
  const made = shareFlight((takes: readonly WindowLimit[]) => takeTogether(db, takes));
  askers.set(db, made);
  return made(take);
}

async function takeTogether(db: Db, takes: readonly WindowLimit[]): Promise<Taken[]> {
  const asked = Map.groupBy(takes, ({ bucket }) => bucket);
  const counters = new Map<string, Counter>();
  for (const counter of await count(db, asked)) counters.set(counter.bucket, counter);
  const places = new Map<string, number>();
  return takes.map((take) => {
    const counter = counters.get(take.bucket);
    if (!counter) throw new Error('A limit was asked and not counted.');
    const before = counter.used - (asked.get(take.bucket)?.length ?? 0);
    const place = (places.get(take.bucket) ?? before) + 1;
    places.set(take.bucket, place);
    return place <= take.limit ? allowed : refused(take.now, counter.endsAt);
  });
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

function count(db: Db, buckets: ReadonlyMap<string, WindowLimit[]>): Promise<Counter[]> {
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
