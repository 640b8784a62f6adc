// Named SQL of a workspace's own numbers, of confirmed numbers, and of the codes that confirm them.
import type { Db } from '../../platform/db.ts';

export interface TextingFacts {
  readonly callerNumber: string | null;
  readonly suppressed: boolean;
}

/** What decides whether a text may go to this number, and from which one. */
export async function findTextingFacts(
  db: Db,
  { workspaceId, phone, carrier }: { workspaceId: string; phone: string; carrier: string },
): Promise<TextingFacts> {
  const [facts] = await db<TextingFacts[]>`
    select (select phone from caller_numbers n where workspace_id = ${workspaceId} and calls_over(n, ${carrier})
        order by id limit 1) as caller_number,
      exists (select from do_not_contact where workspace_id = ${workspaceId} and phone = ${phone}) as suppressed`;
  if (!facts) throw new Error('A select without a table gives one row.');
  return facts;
}

export interface Assignment {
  readonly numberFound: boolean;
  readonly agentFound: boolean;
}

/** Changes the number only when both are the workspace's; null leaves it to the first agent. */
export async function setAnsweringAgent(
  db: Db,
  { workspaceId, phone, agentId }: { workspaceId: string; phone: string; agentId: string | null },
): Promise<Assignment> {
  const [found] = await db<Assignment[]>`
    with facts as (
      select exists (select from caller_numbers
          where workspace_id = ${workspaceId} and phone = ${phone} and active) as number_found,
        ${agentId}::text is null or exists (select from agents
          where workspace_id = ${workspaceId} and id = ${agentId}) as agent_found
    ), changed as (
      update caller_numbers set agent_id = ${agentId}
      where workspace_id = ${workspaceId} and phone = ${phone} and active and (select agent_found from facts))
    select number_found, agent_found from facts`;
  if (!found) throw new Error('A select without a table gives one row.');
  return found;
}

/** A new code takes the place of the one before, and its tries. */
export async function keepNumberCode(
  db: Db,
  code: { workspaceId: string; phone: string; hash: Buffer; expiresAt: Date },
) {
  await db`
    insert into number_codes (workspace_id, phone, code_hash, expires_at)
    values (${code.workspaceId}, ${code.phone}, ${code.hash}, ${code.expiresAt})
    on conflict (workspace_id, phone) do update
      set code_hash = excluded.code_hash, expires_at = excluded.expires_at, tries = 0`;
}

export type ConfirmAnswer = 'confirmed' | 'wrong_code' | 'no_code';

export async function confirmWithCode(
  db: Db,
  attempt: { workspaceId: string; phone: string; hash: Buffer; triesMax: number; now: Date },
): Promise<ConfirmAnswer> {
  const [row] = await db<{ answer: ConfirmAnswer }[]>`
    select confirm_number(${attempt.workspaceId}, ${attempt.phone}, ${attempt.hash}, ${attempt.triesMax},
      ${attempt.now}) as answer`;
  return row?.answer ?? 'no_code';
}
