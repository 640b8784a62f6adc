// The pool, and the deadline that every query carries.
import postgres from 'postgres';
import { systemClock } from './clock.ts';

const clock = systemClock();

export const limits = {
  queryDeadlineMs: 10_000,
  statementTimeoutMs: 8_000,
  idleInTransactionTimeoutMs: 30_000,
  connectTimeoutSeconds: 5,
  reconnectMaxSeconds: 0.5,
  alwaysSentBytes: 1_024,
} as const;

/** A tagged template that sends SQL; result columns arrive in camelCase. */
export type Db = postgres.Sql<{ bigint: number }>;

export class QueryDeadlineError extends Error {
  override readonly name = 'QueryDeadlineError';
}

/** Opens a pool. int8 becomes a number: micro-dollars fit up to nine billion dollars. */
export function openDatabase(options: {
  url: string;
  poolSize: number;
  application: string;
  onNotice?: (message: string) => void;
}): Db {
  const open = () => openPool(options);
  let pool = open();
  // Subscriptions have a connection of their own, which opens with the first.
  const subscriptions = open();
  const answers = { lastMs: clock.monotonicMs() };
  const replaceSilentPool = () => {
    if (clock.monotonicMs() - answers.lastMs < limits.queryDeadlineMs) return;
    answers.lastMs = clock.monotonicMs();
    const silent = pool;
    pool = open();
    options.onNotice?.('no connection answers: they are replaced');
    void silent.end({ timeout: 0 });
  };
  return new Proxy(pool, {
    apply(_, self, argumentsList) {
      const query: unknown = Reflect.apply(pool, self, argumentsList);
      if (query instanceof Promise) addDeadline(query, answers, replaceSilentPool);
      return query;
    },
    get(_, name) {
      if (name === 'listen') return subscriptions.listen.bind(subscriptions);
      if (name === 'end')
        return (how?: { timeout?: number }) =>
          Promise.all([pool.end(how), subscriptions.end(how)]).then(() => {});
      return Reflect.get(pool, name) as unknown;
    },
  });
}

function openPool(options: Parameters<typeof openDatabase>[0]): Db {
  return postgres(options.url, {
    max: options.poolSize,
    connect_timeout: limits.connectTimeoutSeconds,
    // By its own rule the package waits up to 20 seconds, also once the database is long back.
    backoff: (retries) => Math.min(0.05 * 2 ** retries, limits.reconnectMaxSeconds),
    idle_timeout: 0,
    max_lifetime: 600,
    onnotice: (notice) => options.onNotice?.(String(notice['message'])),
    // Column names only: keys inside jsonb values are data and stay as they are.
    transform: { undefined: null, column: { from: postgres.toCamel, to: postgres.fromCamel } },
    types: {
      bigint: { to: 20, from: [20], parse: Number, serialize: String },
    },
    connection: {
      application_name: options.application,
      statement_timeout: limits.statementTimeoutMs,
      idle_in_transaction_session_timeout: limits.idleInTransactionTimeoutMs,
      TimeZone: 'UTC',
      // postgres.js 3.4.9 forgets to send small writes on a connection that broke with one unsent, and
      // then cannot open it again for half a minute. A greeting of this length is always sent.
      'service.greeting': 'x'.repeat(limits.alwaysSentBytes),
    },
  });
}

/** True when the database refused, failed or was not reached, rather than our own code. */
export function isDatabaseFailure(error: unknown): boolean {
  if (error instanceof postgres.PostgresError || error instanceof QueryDeadlineError) return true;
  return error instanceof Error && 'code' in error && connectionFailures.has(String(error.code));
}

/** How postgres.js and the sockets below it say that a connection could not be had or broke. */
const connectionFailures = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EMFILE',
  'ENFILE',
]);

/**
 * A half-open connection never answers; the caller then learns that the outcome is unknown. A live server answers
 * before, if only to say that the statement took too long: when none has, every connection is half-open.
 */
function addDeadline(query: Promise<unknown>, answers: { lastMs: number }, onSilence: () => void) {
  const settle = query.then;
  const thenWithinDeadline: typeof query.then = (onFulfilled, onRejected) => {
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        onSilence();
        reject(new QueryDeadlineError('The database did not answer in time.'));
      }, limits.queryDeadlineMs);
    });
    const answer = settle
      .call(query, (value) => value)
      .finally(() => {
        answers.lastMs = clock.monotonicMs();
        clearTimeout(timer);
      });
    return Promise.race([answer, deadline]).then(onFulfilled, onRejected);
  };
  // A query is sent when it is awaited: that is the moment from which its time counts.
  Object.defineProperty(query, 'then', { value: thenWithinDeadline });
}
