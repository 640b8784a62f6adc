// Proves with a one-time code that a workspace may ring a number for tests.
import { createHmac } from 'node:crypto';
import { limits } from '../../openapi/limits.ts';
import { newCode, newId } from '../../platform/ids.ts';
import { takeFromWindow } from '../../platform/rate-limit.ts';
import type { Context } from '../context.ts';
import { actOnOptOut } from '../do-not-contact/act-on-opt-out.ts';
import { suppressNumber } from '../do-not-contact/do-not-contact-queries.ts';
import { readDestination } from '../leads/destination.ts';
import { readTypedPhone } from '../leads/phone-number.ts';
import type { ConfirmAnswer } from './number-queries.ts';
import { confirmWithCode, findTextingFacts, keepNumberCode } from './number-queries.ts';

const code = limits.triggerUrl.numberCode;
const minuteMs = 60_000;
const hourSeconds = 3_600;

export type StartAnswer =
  | { readonly kind: 'sent'; readonly phone: string; readonly expiresAt: Date }
  | { readonly kind: 'too_many_codes'; readonly retryAfterSeconds: number }
  | {
      readonly kind:
        | 'invalid_phone'
        | 'unsupported_destination'
        | 'do_not_contact'
        | 'no_caller_id'
        /** The carrier refused, or nobody knows whether it went out. */
        | 'not_sent';
    };

/** Texts a fresh code to the number; the one before no longer counts. */
export async function startConfirmingNumber(
  ctx: Context,
  workspaceId: string,
  typed: string,
): Promise<StartAnswer> {
  const now = ctx.clock.now();
  const { phone, refusal } = readDestination(readTypedPhone(typed) ?? '', now);
  if (!phone || refusal?.code === 'invalid_phone') return { kind: 'invalid_phone' };
  if (refusal) return { kind: 'unsupported_destination' };
  const facts = await findTextingFacts(ctx.db, {
    workspaceId,
    phone,
    carrier: ctx.carrier.name,
  });
  if (facts.suppressed) return { kind: 'do_not_contact' };
  if (!facts.callerNumber) return { kind: 'no_caller_id' };
  const taken = await takeFromWindow(ctx.db, {
    bucket: `number-codes:${workspaceId}`,
    limit: code.sentPerHour,
    windowSeconds: hourSeconds,
    now,
  });
  if (!taken.allowed) return { kind: 'too_many_codes', retryAfterSeconds: taken.retryAfterSeconds };
  const expiresAt = new Date(now.getTime() + code.lifetimeMinutes * minuteMs);
  const digits = newCode(code.digits);
  const hash = hashCode(ctx, workspaceId, { phone, digits });
  await keepNumberCode(ctx.db, { workspaceId, phone, hash, expiresAt });
  const isSent = await sendCode(ctx, workspaceId, { to: phone, from: facts.callerNumber, digits });
  return isSent ? { kind: 'sent', phone, expiresAt } : { kind: 'not_sent' };
}

/** `no_code`: none was sent, it is too old, or it was tried too often. */
export async function finishConfirmingNumber(
  ctx: Context,
  workspaceId: string,
  entered: { phone: string; digits: string },
): Promise<ConfirmAnswer> {
  const phone = readTypedPhone(entered.phone);
  if (!phone) return 'no_code';
  const digits = entered.digits.replaceAll(/\s/g, '');
  const answer = await confirmWithCode(ctx.db, {
    workspaceId,
    phone,
    hash: hashCode(ctx, workspaceId, { phone, digits }),
    triesMax: code.triesMax,
    now: ctx.clock.now(),
  });
  ctx.log.info({ workspaceId, answer }, 'number confirmation tried');
  return answer;
}

function hashCode(
  ctx: Context,
  workspaceId: string,
  { phone, digits }: { phone: string; digits: string },
): Buffer {
  const hmac = createHmac('sha256', ctx.appSecret);
  return hmac.update(`number-code\n${workspaceId}\n${phone}\n${digits}`).digest();
}

async function sendCode(
  ctx: Context,
  workspaceId: string,
  text: { to: string; from: string; digits: string },
): Promise<boolean> {
  const textId = newId('txt', ctx.clock.now());
  const result = await ctx.carrier.sendText({
    textId,
    to: text.to,
    from: text.from,
    body: `${text.digits} is your code to confirm this number for test calls.`,
    statusCallbackUrl: `${ctx.settings.publicUrl}/carriers/${ctx.carrier.name}/${workspaceId}/texts/${textId}`,
  });
  ctx.log.info({ textId, outcome: result.kind }, 'number code asked');
  if (result.kind === 'refused' && result.why === 'do_not_contact') {
    const optOut = { workspaceId, phone: text.to, source: 'carrier' } as const;
    await suppressNumber(ctx.db, optOut, ctx.clock.now());
    await actOnOptOut(ctx, workspaceId, [text.to]);
  }
  return result.kind === 'sent';
}
