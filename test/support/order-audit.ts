// Watches every move of every order from inside the database, and says what must hold of them.
import { expect } from 'vitest';
import { readWallet } from '../../domain/billing/read-wallet.ts';
import { findUnbalancedTransfers } from '../../domain/billing/wallet-queries.ts';
import type { Context } from '../../domain/context.ts';
import { readOrder } from '../../domain/orders/read-order.ts';
import type { Db } from '../../platform/db.ts';

interface SeenMove {
  readonly orderId: string;
  readonly fromStatus: string;
  readonly toStatus: string;
  readonly reason: string | null;
  readonly attemptsBefore: number;
  readonly attempts: number;
  readonly wasFinal: boolean;
  readonly isFinal: boolean;
}

const moneyReasons = ['waiting_for_balance', 'plan_inactive', 'plan_past_due'];

export async function installAudit(db: Db) {
  await db.unsafe(`
    create table seen_moves (seq bigserial, workspace_id text, order_id text, from_status text,
      to_status text, reason text, attempts_before int, attempts int, was_final boolean,
      is_final boolean);
    create function note_move() returns trigger language plpgsql as $$ begin
      insert into seen_moves (workspace_id, order_id, from_status, to_status, reason,
        attempts_before, attempts, was_final, is_final)
      values (new.workspace_id, new.id, old.status, new.status, new.reason, old.attempt_number,
        new.attempt_number, old.completed_at is not null, new.completed_at is not null);
      return null; end $$;
    create trigger note_move after update on orders for each row
      when (old.version is distinct from new.version) execute function note_move();
    alter table deliveries add column seq bigserial;`);
}

/** The events that the specification asks for, from the moves alone. */
function expectedEvents(moves: readonly SeenMove[]): string[] {
  const waits = new Set<string>();
  return moves.flatMap((move) => {
    const told = `${move.toStatus} ${move.reason} ${move.attempts}`;
    if (!move.wasFinal && move.isFinal) return [`order.completed ${told}`];
    if (move.toStatus === 'RETRY_SCHEDULED' && move.fromStatus !== 'RETRY_SCHEDULED')
      return move.attempts === move.attemptsBefore ? [`order.updated ${told}`] : [];
    const waitsForMoney =
      move.fromStatus === move.toStatus && moneyReasons.includes(move.reason ?? '');
    if (!waitsForMoney || waits.has(told)) return [];
    waits.add(told);
    return [`order.updated ${told}`];
  });
}

interface SentEvent {
  readonly orderId: string;
  readonly body: Record<string, unknown>;
}

async function readHistory(db: Db, workspaceId: string) {
  const [moves, events] = await Promise.all([
    db<SeenMove[]>`select * from seen_moves where workspace_id = ${workspaceId} order by seq`,
    db<SentEvent[]>`select order_id, convert_from(body, 'UTF8')::jsonb as body from deliveries
      where workspace_id = ${workspaceId} order by seq`,
  ]);
  return {
    moves: Map.groupBy(moves, ({ orderId }) => orderId),
    events: Map.groupBy(events, ({ orderId }) => orderId),
  };
}

/** Every event once, in its order, and the last one tells what GET tells. */
export async function expectEventsAsSpecified(ctx: Context, workspaceId: string) {
  const { moves, events } = await readHistory(ctx.db, workspaceId);
  for (const [orderId, seen] of moves) {
    const sent = (events.get(orderId) ?? []).map(({ body }) => body);
    const told = sent.map(
      ({ event, status, reason, attempt_number: attempts }) =>
        `${String(event)} ${String(status)} ${String(reason)} ${String(attempts)}`,
    );
    const expected = expectedEvents(seen);
    expect(told).toEqual(expected);
    const last = expected.at(-1);
    const isTold = last && expectedEvents(seen.slice(0, -1)).length < expected.length;
    if (!isTold) continue;
    const key = { keyId: 'key_test', workspaceId, mode: 'live' } as const;
    const { event: _, ...payload } = sent.at(-1) ?? {};
    expect(await readOrder(ctx, key, orderId)).toMatchObject(payload);
  }
  for (const seen of moves.values()) expect(seen.filter(({ wasFinal }) => wasFinal)).toEqual([]);
}

export async function expectMoneyIsWhole(ctx: Context, workspaceId: string) {
  const wallet = await readWallet(ctx, workspaceId);
  expect(wallet.balanceMicros).toBe(wallet.ledgerMicros);
  expect(wallet.heldMicros).toBe(wallet.openHoldsMicros);
  expect(wallet.balanceMicros - wallet.heldMicros).toBeGreaterThanOrEqual(0);
  expect(await findUnbalancedTransfers(ctx.db)).toEqual([]);
  const wrong = await ctx.db`
    select o.id from orders o where o.workspace_id = ${workspaceId} and o.charged_micros <> (
      select coalesce(sum(t.amount_micros), 0) from ledger_transfers t
      where t.workspace_id = o.workspace_id and t.order_id = o.id and t.kind = 'call')`;
  expect(wrong).toEqual([]);
  return wallet;
}

/** No text that was not asked of the carrier, or that it refused, is paid for. */
export async function expectTextsPaidAsSent(ctx: Context, workspaceId: string) {
  const unpaid = await ctx.db`
    select t.id, t.state, sum(e.amount_micros) from texts t
    join ledger_transfers l on l.workspace_id = t.workspace_id and l.attempt_id = t.attempt_id
    join ledger_entries e on e.workspace_id = l.workspace_id and e.transfer_id = l.id
      and e.account = 'texts'
    where t.workspace_id = ${workspaceId} and t.state = 'refused'
    group by t.id, t.state having sum(e.amount_micros) <> 0`;
  expect(unpaid).toEqual([]);
}

/** Everything ended, and nothing is held. */
export async function expectAllOver(ctx: Context, workspaceId: string) {
  const open = await ctx.db`
    select id, status, reason from orders
    where workspace_id = ${workspaceId} and completed_at is null`;
  expect(open).toEqual([]);
  const live = await ctx.db`
    select id, state from attempts where workspace_id = ${workspaceId} and watch_at is not null`;
  expect(live).toEqual([]);
  expect((await expectMoneyIsWhole(ctx, workspaceId)).heldMicros).toBe(0);
}
