// The conversation as it was heard, turn by turn, kept with the order while the call runs.
import type { ConversationTurn } from '../domain/calls/brain.ts';
import type { HeardTurn } from '../domain/calls/call-desk.ts';

export interface HeardAgentTurn {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly complete: boolean;
}

export interface Transcript {
  /** Words that belong to a stretch of speech already noted go on with that turn. */
  person(text: string, fromMs: number, toMs: number): void;
  /** What was heard of an utterance so far; the first heard word gives it its place. */
  agent(utteranceId: string, heard: HeardAgentTurn): void;
  /** Hands over the turns that changed since the last time. */
  takeChanged(): HeardTurn[];
  readonly turns: readonly ConversationTurn[];
}

export function createTranscript(): Transcript {
  const turns: ConversationTurn[] = [];
  const positions = new Map<string, number>();
  const changed = new Set<number>();

  const put = (position: number, turn: ConversationTurn) => {
    turns[position] = turn;
    changed.add(position);
  };
  return {
    person(text, fromMs, toMs) {
      const last = turns.findLastIndex((turn) => turn.role === 'user');
      const before = turns[last];
      if (before && fromMs < before.endMs)
        put(last, { ...before, text: `${before.text} ${text}`, endMs: toMs });
      else put(turns.length, { role: 'user', text, startMs: fromMs, endMs: toMs, complete: true });
    },
    agent(utteranceId, heard) {
      const position = positions.get(utteranceId) ?? turns.length;
      const previous = turns[position];
      if (previous?.text === heard.text && previous.complete === heard.complete) return;
      positions.set(utteranceId, position);
      put(position, { role: 'agent', ...heard });
    },
    takeChanged() {
      const taken = [...changed].flatMap((position) => {
        const turn = turns[position];
        return turn ? [toHeardTurn(position, turn)] : [];
      });
      changed.clear();
      return taken;
    },
    turns,
  };
}

function toHeardTurn(position: number, turn: ConversationTurn): HeardTurn {
  const { role, text, startMs, endMs } = turn;
  return { position, role, text, startMs: Math.round(startMs), endMs: Math.round(endMs) };
}
