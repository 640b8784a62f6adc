// GET /v1/agents: what placing orders needs to know of each agent of the workspace.
import type { Agent, AgentList, NotCallableReason } from '../../openapi/agents.ts';
import type { Context } from '../context.ts';
import type { KeyIdentity } from '../workspaces/key-identity.ts';
import { findAgents, type ListedAgent } from './agent-queries.ts';

export async function listAgents(ctx: Context, key: KeyIdentity): Promise<AgentList> {
  const agents = await findAgents(ctx.db, key.workspaceId);
  return { success: true, agents: agents.map(agentBody) };
}

function agentBody(agent: ListedAgent): Agent {
  const { config } = agent;
  const reason = notCallableReason(agent);
  return {
    agent_id: agent.id,
    name: agent.name,
    active: agent.active,
    published: agent.publishedVersion !== null,
    published_at: agent.publishedAt?.toISOString() ?? null,
    version: agent.publishedVersion,
    callable: reason === null,
    not_callable_reason: reason,
    language: config?.language ?? null,
    timezone: config?.timezone ?? null,
    questions: (config?.questions ?? []).map(({ key, question, type, required }) => ({
      key,
      question,
      type,
      required,
    })),
    cadence_defaults: config && {
      max_attempts: config.cadence.maxAttempts,
      retry_interval_minutes: config.cadence.retryIntervalMinutes,
      send_sms_on_voicemail: config.cadence.sendSmsOnVoicemail,
    },
    calendar_connected: agent.hasCalendar,
    caller_numbers: [...agent.callerNumbers],
    created_at: agent.createdAt.toISOString(),
    updated_at: agent.updatedAt.toISOString(),
  };
}

/** In the order in which an order would meet them. */
function notCallableReason(agent: ListedAgent): NotCallableReason | null {
  if (!agent.active) return 'agent_inactive';
  if (agent.publishedVersion === null) return 'agent_not_published';
  return agent.callerNumbers.length === 0 ? 'no_caller_id' : null;
}
