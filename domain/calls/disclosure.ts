// The words that open every call. Pure.
import type { AgentConfig } from '../agents/agent-config.ts';
import type { Direction } from './caller.ts';

/** Who speaks, that it is a virtual AI assistant, transcription and recording, and how to stop further calls. */
export function disclosureText(
  agent: Pick<AgentConfig, 'businessName' | 'purpose'>,
  firstName: string | null,
  direction: Direction = 'outbound',
): string {
  return (
    `${direction === 'inbound' ? thanks(agent) : greeting(agent, firstName)} ` +
    'This call is transcribed and may be recorded. ' +
    "Say 'stop calling' at any time and we will not call you again."
  );
}

function greeting(
  { businessName, purpose }: Pick<AgentConfig, 'businessName' | 'purpose'>,
  firstName: string | null,
): string {
  const hi = firstName?.trim() ? `Hi ${firstName.trim()}, this` : 'Hi, this';
  return `${hi} is the virtual AI assistant of ${businessName}, calling ${purpose}.`;
}

/** The purpose is why the business calls; why somebody calls the business is theirs to say. */
function thanks({ businessName }: Pick<AgentConfig, 'businessName'>): string {
  return `Thanks for calling ${businessName}. I am its virtual AI assistant.`;
}
