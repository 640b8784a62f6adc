// Drives the call machine by hand: events with times in, effects out.
import { advanceCall } from '../../../voice-gateway/call-machine.ts';
import type { CallEffect } from '../../../voice-gateway/machine/call-effect.ts';
import type { CallEvent, CallHappening } from '../../../voice-gateway/machine/call-event.ts';
import { newCall, type CallState } from '../../../voice-gateway/machine/call-state.ts';

type Effect<Kind extends CallEffect['kind']> = Extract<CallEffect, { kind: Kind }>;

export class MachineDriver {
  state: CallState;
  readonly events: CallEvent[] = [];
  readonly effects: CallEffect[] = [];
  nowMs = 0;

  constructor(maxCallMs = 600_000, direction: CallState['direction'] = 'outbound') {
    this.state = newCall(maxCallMs, direction);
  }

  /** What happens now, and which kinds of effects it has. */
  happen(happening: CallHappening): CallEffect['kind'][] {
    const event: CallEvent = { ...happening, atMs: this.nowMs };
    const { state, effects } = advanceCall(this.state, event);
    this.state = state;
    this.events.push(event);
    this.effects.push(...effects);
    return effects.map((effect) => effect.kind);
  }

  /** Lets time pass; deadlines on the way do their work. */
  wait(ms: number): CallEffect['kind'][] {
    this.nowMs += ms;
    return this.happen({ kind: 'tick' });
  }

  last<Kind extends CallEffect['kind']>(kind: Kind): Effect<Kind> | undefined {
    // The predicate fixes the kind, which `findLast` cannot know from a generic parameter.
    return this.effects.findLast((effect) => effect.kind === kind) as Effect<Kind> | undefined;
  }

  count(kind: CallEffect['kind']): number {
    return this.effects.filter((effect) => effect.kind === kind).length;
  }

  /** The person speaks for a while; the recogniser finishes with the last word. */
  personSays(text: string, durationMs = 800): CallEffect['kind'][] {
    const fromMs = this.nowMs;
    const started = this.happen({ kind: 'speech_started', agentRemainingMs: 0 });
    this.nowMs += durationMs;
    const heard = this.hears('final', text, fromMs);
    const ended = this.happen({ kind: 'speech_ended', endedAtMs: this.nowMs });
    return [...started, ...heard, ...ended];
  }

  hears(certainty: 'interim' | 'final', text: string, fromMs = this.nowMs): CallEffect['kind'][] {
    const toMs = this.nowMs;
    return this.happen({ kind: 'words_heard', certainty, text, fromMs, toMs });
  }

  /** The line that is being said was queued and, later, heard to its end. */
  lineIsHeard(): CallEffect['kind'][] {
    const utteranceId = this.last('say')?.utteranceId ?? '';
    this.happen({ kind: 'line_made', utteranceId, remainingMs: 3_000 });
    this.nowMs += 3_000;
    return this.happen({ kind: 'played', utteranceId });
  }

  /** The brain answers the last request; its speech is still playing when this returns. */
  replies(
    expects: 'nothing' | 'words' | 'yes_no' | 'digits' = 'words',
    afterwards: 'listen' | 'hang_up' = 'listen',
  ): void {
    const { turnId = 0, utteranceId = '' } = this.last('think') ?? {};
    this.happen({ kind: 'reply_began', turnId, utteranceId });
    const made = { turnId, utteranceId, expects, afterwards, remainingMs: 2_000 };
    this.happen({ kind: 'reply_made', ...made });
  }

  replyIsHeard(): CallEffect['kind'][] {
    this.nowMs += 2_000;
    return this.happen({ kind: 'played', utteranceId: this.last('think')?.utteranceId ?? '' });
  }
}

/** A call whose person has heard the notice and the first question. */
export function inConversation(maxCallMs?: number): MachineDriver {
  const call = new MachineDriver(maxCallMs);
  call.happen({ kind: 'admitted', answeredBy: null });
  call.personSays('Hello?');
  call.wait(400);
  call.lineIsHeard();
  call.wait(600);
  call.replies('yes_no');
  call.replyIsHeard();
  return call;
}
