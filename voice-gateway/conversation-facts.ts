// What a conversation has established, and the tools by which a brain adds to it.
import type { BrainTools, ConversationFacts } from '../domain/calls/brain.ts';
import type { AgentConfig } from '../domain/agents/agent-config.ts';
import { answerFits } from '../domain/calls/answer-fits.ts';
import type { CallBrief, Slot } from '../domain/calls/call-desk.ts';
import type { ExtractedAnswer } from '../domain/calls/call-report.ts';
import type { CallCalendar } from './call-calendar.ts';

/** What one reply puts to the person; it counts once any of the reply was heard. */
export interface Put {
  readonly utteranceId: string;
  readonly asked: string[];
  offered: readonly Slot[] | null;
}

export interface FactBook {
  /** Facts as far as the person can know them: of replies that `wasHeard`. */
  read(wasHeard: (utteranceId: string) => boolean): ConversationFacts;
  putting(utteranceId: string): Put;
  tools(reply: ReplyHandle): BrainTools;
}

/** What the tools need to know of the reply that uses them. */
export interface ReplyHandle {
  /** Second of the person's words that are being answered. */
  readonly atSecond: number;
  /** Aborts when the reply is no longer wanted. */
  readonly signal: AbortSignal;
  readonly endCall: () => void;
  readonly optOut: (why: 'stop_calling' | 'wrong_number', quote: string) => void;
}

export function createFactBook(brief: CallBrief, calendar: CallCalendar): FactBook {
  const answers = new Map<string, ExtractedAnswer>();
  const puts: Put[] = [];
  let interest: ConversationFacts['interest'] = 'unknown';

  return {
    read(wasHeard) {
      const heard = puts.filter((put) => wasHeard(put.utteranceId));
      const offers = heard.flatMap((put) => (put.offered ? [put.offered] : []));
      return {
        answers: [...answers.values()],
        asked: heard.flatMap((put) => put.asked),
        interest,
        offers: offers.length,
        offered: offers.at(-1) ?? [],
        booking: calendar.booking(),
      };
    },
    putting(utteranceId) {
      const put: Put = { utteranceId, asked: [], offered: null };
      puts.push(put);
      return put;
    },
    tools: ({ atSecond, signal, endCall, optOut }) => ({
      recordAnswer({ key, value, quote }) {
        const question = brief.agent.questions.find((candidate) => candidate.key === key);
        if (!question || !answerFits(question, value)) return 'not_an_answer';
        answers.set(key, { key, value, quote, atSecond });
        return 'kept';
      },
      noteInterest: (noted) => void (interest = noted),
      ...calendar.tools(signal),
      optOut,
      endCall,
    }),
  };
}

/** Keys that belong to the agent's questions, once each, in the order in which they were put. */
export function askedKeys(agent: AgentConfig, asked: readonly string[]): string[] {
  const keys = new Set(agent.questions.map((question) => question.key));
  return [...new Set(asked)].filter((key) => keys.has(key));
}
