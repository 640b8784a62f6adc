// Live orders that are due now, each to a number of its own, without passing the intake.
import type { Context } from '../../domain/context.ts';
import { newId } from '../../platform/ids.ts';
import type { TestWorkspace } from './factories.ts';

const areaCodes = [212, 213, 312, 415, 617, 702, 713, 808, 907, 206, 303, 404, 503, 602];

/** Fictional numbers: a hundred in each area code, then further exchanges. */
export function phoneOf(index: number): string {
  const areaCode = areaCodes[Math.floor(index / 100) % areaCodes.length];
  const round = Math.floor(index / (100 * areaCodes.length));
  const exchange = round === 0 ? 555 : 555 + round;
  return `+1${areaCode}${exchange}01${String(index % 100).padStart(2, '0')}`;
}

export async function insertWaitingOrders(
  ctx: Context,
  workspace: TestWorkspace,
  count: number,
): Promise<string[]> {
  const now = ctx.clock.now();
  const ids = Array.from({ length: count }, () => newId('ord', now));
  const phones = ids.map((_, index) => phoneOf(index));
  const consent = {
    opt_in_confirmed: true,
    consented_at: '2026-11-01T12:00:00Z',
    source: 'form',
  };
  await ctx.db`
    insert into orders (workspace_id, id, test, agent_id, agent_version, status, phone,
      max_attempts, retry_interval_minutes, send_sms_on_voicemail, consent, estimated_dial_seconds,
      next_dial_at, created_at, updated_at)
    select ${workspace.id}, id, false, ${workspace.agentId}, 1, 'QUEUED', phone,
      3, 60, true, ${ctx.db.json(consent)}, 2, ${now}, ${now}, ${now}
    from unnest(${ids}::text[], ${phones}::text[]) as o(id, phone)`;
  return ids;
}
