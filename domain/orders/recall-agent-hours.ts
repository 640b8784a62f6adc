// The calling hours that agents had when they were last met, so that intake needs no query to guess them.
import type { AgentHours } from '../calling-hours/next-legal-minute.ts';
import type { Context } from '../context.ts';
import type { NewOrder } from './order-queries.ts';

const agentsMax = 10_000;

/** One memory per context, so that tests and processes share nothing. */
const memories = new WeakMap<Context, Map<string, AgentHours>>();

type AgentRef = Pick<NewOrder, 'workspaceId' | 'agentId'>;

/** A guess: the statement that inserts the order checks it. Null, no hours of its own, is what most agents have. */
export function recallAgentHours(ctx: Context, agent: AgentRef): AgentHours {
  return memories.get(ctx)?.get(keyOf(agent)) ?? null;
}

export function rememberAgentHours(ctx: Context, agent: AgentRef, hours: AgentHours): void {
  let memory = memories.get(ctx);
  if (!memory) memories.set(ctx, (memory = new Map()));
  if (memory.size >= agentsMax) memory.clear();
  if (hours) memory.set(keyOf(agent), hours);
  else memory.delete(keyOf(agent));
}

function keyOf({ workspaceId, agentId }: AgentRef): string {
  return `${workspaceId} ${agentId}`;
}
