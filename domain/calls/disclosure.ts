// The words that open every call. Pure.
import type { AgentConfig } from '../agents/agent-config.ts';

/** Who calls, that it is a virtual AI assistant, transcription and recording, and how to stop further calls. */
export function disclosureText(
  agent: Pick<AgentConfig, 'businessName' | 'purpose'>,
  firstName: string | null,
): string {
  const greeting = firstName?.trim() ? `Hi ${firstName.trim()}, this` : 'Hi, this';
  return (
    `${greeting} is the virtual AI assistant of ${agent.businessName}, calling ${agent.purpose}. ` +
    'This call is transcribed and may be recorded. ' +
    "Say 'stop calling' at any time and we will not call you again."
  );
}
