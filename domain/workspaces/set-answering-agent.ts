// Who answers when people call one of the workspace's numbers.
import type { Context } from '../context.ts';
import * as queries from './number-queries.ts';

/**
 * `agentId` null leaves the number to the workspace's first active, published agent. An agent that is switched off or
 * unpublished may be named: until it can talk, callers are told that nobody can take their call.
 */
export async function setAnsweringAgent(
  ctx: Context,
  change: { workspaceId: string; phone: string; agentId: string | null },
): Promise<'set' | 'number_not_found' | 'agent_not_found'> {
  const { numberFound, agentFound } = await queries.setAnsweringAgent(ctx.db, change);
  if (!numberFound) return 'number_not_found';
  return agentFound ? 'set' : 'agent_not_found';
}
