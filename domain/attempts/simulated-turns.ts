// What a simulated call says, so that receivers can be built against a transcript. Pure.
import type { AgentConfig } from '../agents/agent-config.ts';
import { disclosureText } from '../calls/disclosure.ts';
import type { HeardTurn } from '../calls/call-desk.ts';
import type { SimulatedPerson } from './simulated-outcome.ts';

const secondsPerTurn = 6;

export function simulatedTurns(
  agent: AgentConfig,
  firstName: string | null,
  person: SimulatedPerson,
): readonly HeardTurn[] {
  const lines: readonly [HeardTurn['role'], string][] = [
    ['user', 'Hello?'],
    ['agent', disclosureText(agent, firstName)],
    ...(person === 'not_interested' ? refusal() : booking()),
  ];
  return lines.map(([role, text], position) => ({
    position,
    role,
    text,
    startMs: position * secondsPerTurn * 1000,
    endMs: (position + 1) * secondsPerTurn * 1000,
  }));
}

function refusal(): [HeardTurn['role'], string][] {
  return [
    ['user', 'I am not interested, thank you.'],
    ['agent', 'I understand. Thank you for your time. Goodbye.'],
  ];
}

function booking(): [HeardTurn['role'], string][] {
  return [
    ['user', 'Yes, that is right.'],
    ['agent', 'I can offer you a time tomorrow. Does that work?'],
    ['user', 'Yes, tomorrow works.'],
    ['agent', 'You are booked. Thank you. Goodbye.'],
  ];
}
