// The small moves every reply is made of.
import type { AgentQuestion } from '../../../domain/agents/agent-config.ts';
import type { BrainEvent, BrainTools, Expectation } from '../../../domain/calls/brain.ts';

export function* say(text: string): Generator<BrainEvent> {
  if (text !== '') yield { kind: 'say', text };
}

export function* ask({ key, question, type }: AgentQuestion): Generator<BrainEvent> {
  yield { kind: 'say', text: question };
  yield { kind: 'ask', key, expects: expectations[type] };
}

export function* hangUpAfter(tools: BrainTools, text: string): Generator<BrainEvent> {
  yield* say(text);
  tools.endCall();
}

const expectations: Readonly<Record<AgentQuestion['type'], Expectation>> = {
  yes_no: 'yes_no',
  number: 'digits',
  choice: 'words',
  text: 'digits',
};
