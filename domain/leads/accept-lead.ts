// A lead posted to a trigger URL becomes an order, once within 24 hours.
import { limits } from '../../openapi/limits.ts';
import type { Consent } from '../../openapi/consent.ts';
import type { LeadAccepted } from '../../openapi/leads.ts';
import { newId } from '../../platform/ids.ts';
import { AppError } from '../app-error.ts';
import type { Context } from '../context.ts';
import type { Asked } from '../orders/intake-verdict.ts';
import type { OrderKind } from '../orders/order.ts';
import { takeOrder, type OrderDraft } from '../orders/take-order.ts';
import { readDestination } from './destination.ts';
import { extractLead, type ExtractedLead } from './extract-lead.ts';
import type { TriggerUrl } from './open-trigger-url.ts';
import { payloadHash } from './payload-hash.ts';

const hourMs = 60 * 60 * 1000;

export interface PostedLead {
  /** The body as it was parsed. */
  readonly payload: object;
  /** `test=1`: rings a confirmed number for real. */
  readonly test: boolean;
}

/** Throws AppError with the first refusal; what was refused is not remembered. */
export async function acceptLead(
  ctx: Context,
  url: TriggerUrl,
  posted: PostedLead,
): Promise<LeadAccepted> {
  if (Array.isArray(posted.payload) && posted.payload.length > 1)
    throw new AppError('invalid_request', 'One lead is taken per request, not a list of them.');
  const lead = extractLead(posted.payload);
  if (lead.phone.kind === 'missing')
    throw new AppError('invalid_request', 'No phone number was found in the lead.');
  const asked = askedOf(ctx, url, lead.phone, kindOf(posted, lead));
  const order = newOrder(ctx, url, { posted, lead, asked });
  const taking = await takeOrder(ctx, order, asked);
  if (taking.kind === 'replayed')
    return leadBody(taking.order, { test: taking.order.test, duplicate: true });
  const test = asked.kind !== 'live';
  return leadBody({ ...taking, id: order.id, status: 'QUEUED' }, { test, duplicate: false });
}

/** A lead that marks itself as a test is never dialled, not even as a test call. */
function kindOf({ test }: PostedLead, lead: ExtractedLead): OrderKind {
  if (lead.marksItselfTest) return 'simulated';
  return test ? 'test_call' : 'live';
}

function askedOf(
  ctx: Context,
  url: TriggerUrl,
  phone: ExtractedLead['phone'],
  kind: OrderKind,
): Asked {
  const destination =
    phone.kind === 'found'
      ? readDestination(phone.e164, ctx.clock.now())
      : { phone: null, refusal: unreadable };
  return {
    kind,
    repeatedBy: 'payload',
    agentId: url.agentId,
    phone: destination.phone,
    externalReferenceId: null,
    destinationRefusal: destination.refusal,
  };
}

const unreadable = {
  code: 'invalid_phone',
  message: 'The phone number of the lead cannot be read.',
} as const;

function newOrder(
  ctx: Context,
  url: TriggerUrl,
  { posted, lead, asked }: { posted: PostedLead; lead: ExtractedLead; asked: Asked },
): OrderDraft {
  const now = ctx.clock.now();
  const windowMs = limits.triggerUrl.duplicateWindowHours * hourMs;
  return {
    workspaceId: url.workspaceId,
    id: newId('ord', now),
    kind: asked.kind,
    agentId: asked.agentId,
    phone: asked.phone ?? '',
    firstName: lead.firstName,
    customContext: lead.customContext,
    maxAttempts: null,
    retryIntervalMinutes: null,
    sendSmsOnVoicemail: null,
    consent: consentOf(url, asked.kind, now),
    webhookUrl: null,
    externalReferenceId: null,
    idempotencyKey: null,
    payload: {
      triggerUrlId: url.id,
      hash: payloadHash(posted.payload, posted),
      rememberedAfter: new Date(now.getTime() - windowMs),
    },
    now,
  };
}

/** The statement that was accepted for the URL is kept in its words: it may be another one tomorrow. */
function consentOf(url: TriggerUrl, kind: OrderKind, now: Date): Consent {
  const prefix = kind === 'test_call' ? 'test_lead' : 'trigger_url';
  const source = Array.from(`${prefix}:${url.id}: ${url.consentStatement}`);
  return {
    opt_in_confirmed: true,
    consented_at: now.toISOString(),
    source: source.slice(0, limits.consent.sourceMaxChars).join(''),
  };
}

function leadBody(
  order: { id: string; status: LeadAccepted['status']; estimatedDialSeconds: number },
  told: Pick<LeadAccepted, 'duplicate' | 'test'>,
): LeadAccepted {
  return {
    success: true,
    order_id: order.id,
    status: order.status,
    estimated_dial_seconds: order.estimatedDialSeconds,
    ...told,
  };
}
