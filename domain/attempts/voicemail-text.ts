// The fallback text after voicemail. Pure.
import type { AgentConfig } from '../agents/agent-config.ts';

/** Fills {first_name} and {business}; a lead without a name is greeted as "there". */
export function fallbackText(agent: AgentConfig, firstName: string | null): string {
  return agent.voicemailText
    .replaceAll('{first_name}', firstName?.trim() || 'there')
    .replaceAll('{business}', agent.businessName);
}
