// A member of the workspace puts a number on the list.
import type { Context } from '../context.ts';
import { readTypedPhone } from '../leads/phone-number.ts';
import { actOnOptOut } from './act-on-opt-out.ts';
import { suppressNumber } from './do-not-contact-queries.ts';
import type { Member } from '../workspaces/member-queries.ts';

export type AddAnswer =
  | { readonly kind: 'added' | 'listed_before'; readonly phone: string }
  | { readonly kind: 'invalid_phone' };

/** Any country's number in any spelling; without a country it is a US number. */
export async function addNumber(
  ctx: Context,
  workspaceId: string,
  added: { by: Member; typed: string; reason: string | null },
): Promise<AddAnswer> {
  const phone = readTypedPhone(added.typed);
  if (!phone) return { kind: 'invalid_phone' };
  const { userId: actor } = added.by;
  const optOut = { workspaceId, phone, source: 'added', actor, reason: added.reason } as const;
  const isNew = await suppressNumber(ctx.db, optOut, ctx.clock.now());
  ctx.log.info({ workspaceId, actor, isNew }, 'number added to do-not-contact');
  await actOnOptOut(ctx, workspaceId, [phone]);
  return { kind: isNew ? 'added' : 'listed_before', phone };
}
