// Talks with a brain in writing: no audio, but the same facts and tools as on a call.
import type { Brain, ConversationTurn } from '../../../domain/calls/brain.ts';
import { systemClock, type Clock } from '../../../platform/clock.ts';
import { createLogger } from '../../../platform/log.ts';
import { createCallCalendar } from '../../../voice-gateway/call-calendar.ts';
import { createFactBook } from '../../../voice-gateway/conversation-facts.ts';
import { createMemoryDesk, type MemoryDesk, type MemoryDeskOptions } from './memory-desk.ts';

export interface Talk {
  readonly desk: MemoryDesk;
  /** The first reply, when the person has said nothing. */
  opens(): Promise<string>;
  /** What the agent answers. */
  says(text: string): Promise<string>;
  /** The person cut the agent's last turn short after so many words. */
  cutAgentTo(words: number): void;
  calendarFailed(): boolean;
  facts(): ReturnType<ReturnType<typeof createFactBook>['read']>;
  readonly ended: boolean;
}

export function startTalk(
  brain: Brain,
  options: MemoryDeskOptions & { wrapUp?: boolean; clock?: Clock } = {},
): Talk {
  const desk = createMemoryDesk('talk', options);
  const log = createLogger({ level: 'silent', process: 'test' });
  const clock = options.clock ?? systemClock();
  const calendar = createCallCalendar({ brief: desk.brief, desk, clock, log });
  const book = createFactBook(desk.brief, calendar);
  const turns: ConversationTurn[] = [];
  let ended = false;
  let replies = 0;

  const reply = async (): Promise<string> => {
    replies += 1;
    const put = book.putting(`reply-${replies}`);
    const tools = book.tools({
      atSecond: replies,
      signal: new AbortController().signal,
      endCall: () => void (ended = true),
      optOut: () => void (ended = true),
    });
    const turn = {
      brief: desk.brief,
      agent: desk.brief.agent,
      turns: [...turns],
      facts: book.read((utteranceId) => utteranceId !== put.utteranceId),
      wrapUp: options.wrapUp ?? false,
      now: new Date('2026-11-21T12:00:00Z'),
    };
    const said: string[] = [];
    for await (const event of brain.reply(turn, tools, new AbortController().signal)) {
      if (event.kind === 'say') said.push(event.text);
      else if (event.kind === 'offer') put.offered = event.slots;
      else if (event.key !== null) put.asked.push(event.key);
    }
    const text = said.join(' ');
    turns.push({ role: 'agent', text, startMs: 0, endMs: 0, complete: true });
    return text;
  };

  return {
    desk,
    opens: reply,
    says(text) {
      turns.push({ role: 'user', text, startMs: 0, endMs: 0, complete: true });
      return reply();
    },
    cutAgentTo(words) {
      const last = turns.at(-1);
      if (!last) return;
      const text = last.text.split(' ').slice(0, words).join(' ');
      turns[turns.length - 1] = { ...last, text, complete: false };
    },
    calendarFailed: () => calendar.failed(),
    facts: () => book.read(() => true),
    get ended() {
      return ended;
    },
  };
}
