// Turns to brain to speech: works out one reply at a time and speaks it while it is being made.
import type { Brain, Expectation } from '../domain/calls/brain.ts';
import type { CallBrief } from '../domain/calls/call-desk.ts';
import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/log.ts';
import type { FactBook } from './conversation-facts.ts';
import { recordingOffAcknowledgement } from './fixed-lines.ts';
import type { CallEffect } from './machine/call-effect.ts';
import type { CallHappening } from './machine/call-event.ts';
import type { Speaker } from './speaker.ts';
import type { Transcript } from './transcript.ts';

export type ReplyRequest = Extract<CallEffect, { kind: 'think' }>;

export interface ConversationOptions {
  readonly brain: Brain;
  readonly brief: CallBrief;
  readonly facts: FactBook;
  readonly speaker: Speaker;
  readonly transcript: Transcript;
  readonly clock: Clock;
  readonly log: Logger;
  readonly nowMs: () => number;
  readonly emit: (happening: CallHappening) => void;
}

export interface Conversation {
  reply(request: ReplyRequest): void;
  /** The reply in the making is no longer wanted; a tool that already runs completes. */
  abandon(): void;
  /** From the end of the person's speech to the first audio of the agent's answer. */
  readonly turnLatenciesMs: readonly number[];
  /** Resolves when no reply is in the making. */
  settled(): Promise<void>;
}

export function createConversation(options: ConversationOptions): Conversation {
  const turnLatenciesMs: number[] = [];
  let latest: { readonly turnId: number; readonly controller: AbortController } | null = null;
  let settled = Promise.resolve();

  const run = async (request: ReplyRequest, signal: AbortSignal) => {
    if (signal.aborted) return;
    try {
      await makeReply(options, request, signal, turnLatenciesMs);
    } catch (error) {
      if (signal.aborted) return;
      options.log.error({ err: error, turnId: request.turnId }, 'reply failed');
      options.emit({ kind: 'reply_failed', turnId: request.turnId });
    }
  };
  return {
    reply(request) {
      const controller = new AbortController();
      latest = { turnId: request.turnId, controller };
      settled = settled.then(() => run(request, controller.signal));
    },
    abandon() {
      latest?.controller.abort();
      latest = null;
    },
    turnLatenciesMs,
    settled: () => settled,
  };
}

async function makeReply(
  options: ConversationOptions,
  request: ReplyRequest,
  signal: AbortSignal,
  latenciesMs: number[],
): Promise<void> {
  const { turnId, utteranceId } = request;
  const { speaker, emit, facts, nowMs } = options;
  const put = facts.putting(utteranceId);
  let expects: Expectation = 'nothing';
  let spoken = false;
  let ending = false;
  const onFirstAudio = () => {
    if (spoken) return;
    spoken = true;
    if (request.personEndedAtMs !== null)
      latenciesMs.push(Math.max(0, nowMs() - request.personEndedAtMs));
    emit({ kind: 'reply_began', turnId, utteranceId });
  };
  const say = (text: string) => speaker.speak(utteranceId, text, { signal, onFirstAudio });
  const tools = facts.tools({
    atSecond: answeredSecond(options.transcript),
    signal,
    endCall: () => void (ending = true),
    optOut: (why, quote) => emit({ kind: 'opt_out_noticed', why, quote }),
  });

  if (request.preface) await say(recordingOffAcknowledgement);
  const turn = describeTurn(options, request);
  for await (const event of options.brain.reply(turn, tools, signal)) {
    if (signal.aborted) return;
    if (event.kind === 'say') await say(event.text);
    else if (event.kind === 'offer') put.offered = event.slots;
    else {
      expects = event.expects;
      if (event.key !== null) put.asked.push(event.key);
    }
  }
  if (signal.aborted) return;
  const { remainingMs } = speaker;
  const afterwards = ending ? 'hang_up' : 'listen';
  const said = spoken ? utteranceId : null;
  emit({ kind: 'reply_made', turnId, utteranceId: said, expects, afterwards, remainingMs });
  if (spoken) speaker.seal(utteranceId);
}

function describeTurn(
  { brief, transcript, facts, clock, speaker }: ConversationOptions,
  request: ReplyRequest,
) {
  return {
    brief,
    agent: brief.agent,
    turns: [...transcript.turns],
    facts: facts.read((utteranceId) => speaker.heard(utteranceId).text !== ''),
    wrapUp: request.wrapUp,
    now: clock.now(),
  };
}

/** The second in which the words began that the reply answers. */
function answeredSecond({ turns }: Transcript): number {
  const lastAgent = turns.findLastIndex((turn) => turn.role === 'agent');
  const first = turns.slice(lastAgent + 1).find((turn) => turn.role === 'user');
  return Math.max(0, Math.floor((first?.startMs ?? 0) / 1_000));
}
