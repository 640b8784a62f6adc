// The shell around the call machine: owns the timers, ears and mouth of one call, and reports once.
import type { Timer } from '../platform/clock.ts';
import { advanceCall } from './call-machine.ts';
import type { CallEffect, CallFacts } from './machine/call-effect.ts';
import type { CallEvent, CallHappening } from './machine/call-event.ts';
import { type CallState, newCall } from './machine/call-state.ts';
import { nextWakeAtMs } from './machine/deadlines.ts';
import { finish } from './machine/ending.ts';
import type { MediaEvent } from './media/media-codec.ts';
import { assembleCall, type CallParts, type CallSessionOptions } from './call-parts.ts';
import { carryOut } from './carry-out.ts';
import { handInReport } from './hand-in-report.ts';
import { type LineListener, openLineListener } from './line-listener.ts';

const limits = {
  keepTurnsMs: 1_000,
  /** Every so many rounds of keeping turns. */
  keepAliveRounds: 5,
} as const;

/** One live call. It ends by itself: every state of the machine has a deadline. */
export class CallSession {
  /** Resolves when the call has been reported and everything it held is closed. */
  readonly ended: Promise<void>;
  readonly #options: CallSessionOptions;
  readonly #startedMs: number;
  readonly #parts: CallParts;
  readonly #listener: LineListener;
  readonly #forgetVerdicts: () => void;
  readonly #waiting: CallHappening[] = [];
  readonly #resolveEnded: () => void;
  #state: CallState;
  #advancing = false;
  #wake: Timer | null = null;
  #upkeep: Timer | null = null;

  constructor(options: CallSessionOptions) {
    const { brief, desk } = options;
    this.#options = options;
    this.#startedMs = options.streamStartedMs;
    this.#state = newCall(brief.agent.maxCallSeconds * 1_000, brief.direction);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    this.#resolveEnded = resolve;
    const emit = (happening: CallHappening) => this.#emit(happening);
    this.#parts = assembleCall({ ...options, emit, nowMs: () => this.#nowMs() });
    this.#listener = openLineListener({
      ...options,
      emit,
      agentRemainingMs: () => this.#parts.speaker.remainingMs,
      onAudio: (mulaw, atMs) => this.#parts.recording.person(mulaw, atMs),
      onFault: (error) => this.#parts.log.error({ err: error }, 'speech recognition failed'),
    });
    this.#forgetVerdicts = desk.onAnsweredBy(brief, (answeredBy) =>
      emit({ kind: 'carrier_verdict', answeredBy }),
    );
    this.#keepUp(0);
    emit({ kind: 'admitted', answeredBy: brief.answeredBy });
  }

  receive(event: MediaEvent): void {
    switch (event.kind) {
      case 'audio':
        return this.#listener.push(event);
      case 'mark':
        return this.#parts.speaker.marked(event.name);
      case 'dtmf':
        return this.#emit({ kind: 'digit_pressed', digit: event.digit });
      case 'stop':
        return this.#endStream('person');
      case 'start':
      case 'connected':
        return;
    }
  }

  /** The socket is gone without the carrier having said that the call is over. */
  lost(): void {
    this.#endStream('carrier');
  }

  /** Ends the call without a goodbye; for a shutdown that can wait no longer. */
  abort(): void {
    const { line, brief } = this.#parts;
    line.mention('hang up', () => line.desk.hangUp(brief, brief.carrierCallId));
    this.#emit({ kind: 'shell_failed' });
  }

  #nowMs(): number {
    return this.#options.clock.monotonicMs() - this.#startedMs;
  }

  /** Closing the ears first makes the last half-heard words known. */
  #endStream(by: 'person' | 'carrier'): void {
    this.#listener.close();
    this.#emit({ kind: 'stream_ended', by });
  }

  /** Events that effects cause wait their turn: the machine sees one at a time. */
  #emit(happening: CallHappening): void {
    this.#waiting.push(happening);
    if (this.#advancing) return;
    this.#advancing = true;
    try {
      for (let next = this.#waiting.shift(); next; next = this.#waiting.shift())
        this.#advance({ ...next, atMs: this.#nowMs() });
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#advancing = false;
    }
    this.#scheduleWake();
  }

  #advance(event: CallEvent): void {
    const { state, effects } = advanceCall(this.#state, event);
    this.#state = state;
    this.#options.observe?.(event, effects);
    for (const effect of effects) this.#carryOut(effect);
  }

  #carryOut(effect: CallEffect): void {
    if (effect.kind === 'finish') this.#finish(effect.facts);
    else carryOut(this.#parts, effect);
  }

  /** A fault in our own code: the call is ended and reported with what is known. */
  #fail(error: unknown): void {
    this.#parts.log.error({ err: error }, 'call machine failed');
    this.#waiting.length = 0;
    const { line, brief } = this.#parts;
    line.mention('hang up', () => line.desk.hangUp(brief, brief.carrierCallId));
    const { state, effects } = finish(this.#state, 'own_fault', this.#nowMs());
    this.#state = state;
    const report = effects.find((effect) => effect.kind === 'finish');
    if (report) this.#finish(report.facts);
  }

  #scheduleWake(): void {
    this.#wake?.cancel();
    const atMs = nextWakeAtMs(this.#state);
    if (atMs === null) return;
    const delayMs = Math.max(0, atMs - this.#nowMs());
    this.#wake = this.#options.clock.setTimer(() => this.#emit({ kind: 'tick' }), delayMs);
  }

  /** Proves that the call is alive and keeps what was heard, so that a crash loses seconds. */
  #keepUp(round: number): void {
    const { line, brief } = this.#parts;
    this.#parts.keepTurns();
    if (round % limits.keepAliveRounds === 0)
      line.mention('keep alive', () => line.desk.keepAlive(brief));
    this.#upkeep = this.#options.clock.setTimer(() => this.#keepUp(round + 1), limits.keepTurnsMs);
  }

  #finish(facts: CallFacts): void {
    this.#wake?.cancel();
    this.#upkeep?.cancel();
    this.#listener.close();
    this.#forgetVerdicts();
    void handInReport(this.#parts, facts).finally(this.#resolveEnded);
  }
}
