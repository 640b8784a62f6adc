// A database whose client dies at a chosen statement: before it is sent, or after it took effect unheard.
import type { Db } from '../../platform/db.ts';

export class Crash extends Error {
  override readonly name = 'Crash';
}

export interface CrashPoint {
  /** Which statement from now on, counted from 1. */
  readonly statement: number;
  /** `after`: it was carried out and its answer is lost. */
  readonly when: 'before' | 'after';
}

export type CrashingDatabase = ReturnType<typeof crashingDatabase>;

export function crashingDatabase(db: Db) {
  let point: CrashPoint | null = null;
  let sent = 0;
  let dead = false;
  const send = async (query: Promise<unknown>) => {
    if (dead) throw new Crash();
    sent += 1;
    if (sent !== point?.statement) return query;
    dead = true;
    if (point.when === 'after') await query;
    throw new Crash();
  };
  // A stand-in with the query's prototype: the package knows its queries by that, as parts of others too.
  const guarded = (query: Promise<unknown>) =>
    new Proxy<object>(Object.create(Object.getPrototypeOf(query) as object) as object, {
      get(_, name) {
        if (name === 'then') {
          const then: Promise<unknown>['then'] = (onFulfilled, onRejected) =>
            send(query).then(onFulfilled, onRejected);
          return then;
        }
        const value: unknown = Reflect.get(query, name, query);
        return typeof value === 'function' ? (value.bind(query) as unknown) : value;
      },
      set: (_, name, value) => Reflect.set(query, name, value),
      has: (_, name) => Reflect.has(query, name),
    });
  return {
    db: new Proxy(db, {
      apply(target, self, argumentsList) {
        const query: unknown = Reflect.apply(target, self, argumentsList);
        return query instanceof Promise ? guarded(query) : query;
      },
    }),
    arm(next: CrashPoint | null) {
      point = next;
      sent = 0;
      dead = false;
    },
    /** A dead client sends nothing more. */
    isDead: () => dead,
  };
}
