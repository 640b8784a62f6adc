// Buys a number for a workspace. Intent is committed before the act; an unknown outcome is looked up, never repeated.
import { newId } from '../../platform/ids.ts';
import type { Context } from '../context.ts';
import { readDestination } from '../leads/destination.ts';
import { readTypedPhone } from '../leads/phone-number.ts';
import {
  findHeldNumber,
  insertBuying,
  markNotBought,
  type CallerNumber,
} from './caller-number-queries.ts';
import { ownNumber, settleAt, settleNumber } from './settle-numbers.ts';

export type BuyNumberAnswer =
  | { readonly kind: 'owned'; readonly number: CallerNumber }
  /** Nobody knows yet; ask again, and it is looked up. */
  | { readonly kind: 'buying'; readonly number: CallerNumber }
  | { readonly kind: 'being_released'; readonly number: CallerNumber }
  | { readonly kind: 'not_available' | 'too_many_requests' | 'carrier_fault' }
  | { readonly kind: 'invalid_phone' | 'not_a_us_number' };

/** Safe to repeat: a number that the workspace has, or is buying, is not bought again. */
export async function buyNumber(
  ctx: Context,
  workspaceId: string,
  typed: string,
): Promise<BuyNumberAnswer> {
  const now = ctx.clock.now();
  const { phone, refusal } = readDestination(readTypedPhone(typed) ?? '', now);
  if (!phone || refusal?.code === 'invalid_phone') return { kind: 'invalid_phone' };
  if (refusal) return { kind: 'not_a_us_number' };
  const id = newId('num', now);
  const carrier = ctx.carrier.name;
  const intent = { workspaceId, id, phone, carrier, now, settleAt: settleAt(ctx) };
  const number = await insertBuying(ctx.db, intent);
  ctx.wakeJobs(intent.settleAt);
  return number ? askForNumber(ctx, number) : answerHeld(ctx, workspaceId, phone);
}

async function askForNumber(ctx: Context, number: CallerNumber): Promise<BuyNumberAnswer> {
  const result = await ctx.numbers.buyNumber({ phone: number.phone, reference: number.id });
  const code = result.kind === 'refused' ? result.code : undefined;
  ctx.log.info({ numberId: number.id, outcome: result.kind, code }, 'number ordered');
  switch (result.kind) {
    case 'bought':
      await ownNumber(ctx, number, result.carrierNumberId);
      return answerHeld(ctx, number.workspaceId, number.phone);
    case 'refused':
      await markNotBought(ctx.db, number);
      return { kind: result.why };
    case 'unknown':
      return answerHeld(ctx, number.workspaceId, number.phone);
  }
}

async function answerHeld(
  ctx: Context,
  workspaceId: string,
  phone: string,
): Promise<BuyNumberAnswer> {
  const found = await findHeldNumber(ctx.db, workspaceId, phone);
  if (found?.state === 'buying') await settleNumber(ctx, found);
  const number = await findHeldNumber(ctx.db, workspaceId, phone);
  if (!number) return { kind: 'not_available' };
  if (number.state === 'releasing') return { kind: 'being_released', number };
  return { kind: number.state === 'owned' ? 'owned' : 'buying', number };
}
