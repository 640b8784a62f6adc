// Somebody who listens, waits for their turn, and answers.
import { mulawLoudness } from '../../../../platform/mulaw.ts';
import type { HeardSpeech, SpeechToTextSession } from '../../../../domain/calls/speech.ts';
import { frameMs } from '../line/ticker.ts';
import { answerTo } from './answer-question.ts';
import { Mouth } from './mouth.ts';
import type { Party, Phone } from './party.ts';
import type { Reaction, Reply, TalkingBehaviour } from './person.ts';

const limits = {
  /** The other has ended when this much silence followed, plus a pause to think. */
  turnEndMs: 400,
  thinkMs: 300,
  /** After a plain statement one waits for the question that may follow. */
  statementEndMs: 1_400,
  greetingAfterMs: 400,
  /** A silent line makes one ask, then leave. */
  askAfterMs: 10_000,
  leaveAfterMs: 25_000,
  farewellMs: 500,
  voiceLoudness: 150,
  /** Sound without words counts as speech from this length on. */
  wordlessTurnMs: 300,
} as const;

/** Times are milliseconds since the answer, counted in frames of audio. */
export class TalkingPerson implements Party {
  readonly #behaviour: TalkingBehaviour;
  readonly #phone: Phone;
  readonly #mouth: Mouth;
  readonly #ear: SpeechToTextSession;
  readonly #done = new Set<Reaction>();
  /** Ended utterances of the other's turn, and the one that still grows. */
  #turn = '';
  #growing = '';
  #voicedMs = 0;
  #quietSinceMs = 0;
  #spokenAtMs = 0;
  #greeted: boolean;
  #asked = false;
  #leaving = false;
  #nowMs = 0;

  constructor(behaviour: TalkingBehaviour, phone: Phone) {
    this.#behaviour = behaviour;
    this.#phone = phone;
    this.#greeted = phone.isCaller;
    this.#mouth = new Mouth(phone, behaviour.voice);
    this.#ear = phone.network.ears.open({
      heard: (speech) => this.#hear(speech),
      failed: (error) => phone.network.log.error({ err: error }, 'sandbox person cannot hear'),
    });
  }

  exchange(heard: Uint8Array, atMs: number): Uint8Array {
    this.#nowMs = atMs;
    this.#ear.push(heard, atMs);
    if (mulawLoudness(heard) > limits.voiceLoudness) {
      this.#voicedMs += frameMs;
      this.#quietSinceMs = atMs + frameMs;
    }
    if (this.#mouth.isIdle) this.#act(atMs);
    else this.#spokenAtMs = atMs + frameMs;
    return this.#mouth.nextFrame();
  }

  leave(): void {
    this.#ear.close();
    this.#mouth.close();
  }

  #act(atMs: number): void {
    const idleMs = atMs - Math.max(this.#quietSinceMs, this.#spokenAtMs);
    if (this.#leaving) {
      if (atMs - this.#spokenAtMs >= limits.farewellMs) this.#phone.hangUp();
    } else if (!this.#greeted) {
      if (atMs >= this.#scaled(limits.greetingAfterMs)) this.#greet(atMs);
    } else if (this.#isMyTurn(atMs)) {
      this.#answer(atMs);
    } else if (idleMs >= limits.leaveAfterMs) {
      this.#phone.hangUp();
    } else if (idleMs >= limits.askAfterMs && !this.#asked) {
      this.#asked = true;
      this.#mouth.say('Hello? Are you still there?', atMs);
    }
  }

  #greet(atMs: number): void {
    this.#greeted = true;
    this.#mouth.say('Hello?', atMs);
  }

  #isMyTurn(atMs: number): boolean {
    const heard = this.#heardTurn();
    if (heard === '' && this.#voicedMs < limits.wordlessTurnMs) return false;
    const isStatement = heard !== '' && !/\?\s*$/.test(heard);
    const silenceMs = isStatement ? limits.statementEndMs : limits.turnEndMs;
    return atMs - this.#quietSinceMs >= silenceMs + this.#scaled(limits.thinkMs);
  }

  #answer(atMs: number): void {
    const heard = this.#heardTurn();
    const reply = this.#reactionTo(heard, this.#behaviour.replies) ?? answerTo(heard);
    this.#turn = '';
    this.#growing = '';
    this.#voicedMs = 0;
    this.#asked = false;
    this.#speak(reply, atMs);
  }

  #hear(speech: HeardSpeech): void {
    this.#quietSinceMs = Math.max(this.#quietSinceMs, speech.toMs);
    switch (speech.kind) {
      case 'interim':
        this.#growing = speech.text;
        return this.#interject(speech.text);
      case 'final':
        this.#turn = `${this.#turn} ${speech.text}`.trim();
        this.#growing = '';
        return this.#phone.note({ who: 'agent', text: speech.text, atMs: speech.fromMs });
    }
  }

  #interject(heard: string): void {
    if (this.#leaving) return;
    const reply = this.#reactionTo(heard, this.#behaviour.interjections);
    if (reply) this.#speak(reply, this.#nowMs);
  }

  #speak(reply: Reply, atMs: number): void {
    this.#leaving = reply.afterwards === 'hangs_up';
    this.#mouth.say(reply.says, atMs);
  }

  #reactionTo(heard: string, reactions: readonly Reaction[]): Reply | null {
    const found = reactions.find((each) => !this.#done.has(each) && each.hears.test(heard));
    if (found) this.#done.add(found);
    return found?.reply ?? null;
  }

  #heardTurn(): string {
    return `${this.#turn} ${this.#growing}`.trim();
  }

  #scaled(ms: number): number {
    return ms / this.#phone.network.simulationSpeed;
  }
}
