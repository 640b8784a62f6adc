// A member of the workspace takes a number off the list; who and why stays in its history.
import type { Context } from '../context.ts';
import { readTypedPhone } from '../leads/phone-number.ts';
import { liftNumber } from './do-not-contact-queries.ts';
import type { Member } from '../workspaces/member-queries.ts';
import { liftableBy } from './opt-out.ts';

/** `kept`: what holds the number there is not this member's to lift. */
export type RemoveAnswer = 'removed' | 'not_listed' | 'kept' | 'invalid_phone';

export async function removeNumber(
  ctx: Context,
  workspaceId: string,
  removed: { by: Member; typed: string; reason: string },
): Promise<RemoveAnswer> {
  const phone = readTypedPhone(removed.typed);
  if (!phone) return 'invalid_phone';
  const { userId: actor, role } = removed.by;
  const answer = await liftNumber(
    ctx.db,
    { workspaceId, phone, liftable: liftableBy(role), actor, reason: removed.reason },
    ctx.clock.now(),
  );
  ctx.log.info({ workspaceId, actor, answer }, 'removal from do-not-contact asked');
  return answer === 'lifted' ? 'removed' : answer;
}
