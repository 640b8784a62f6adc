// Decides, from the first sounds after the answer, whether a person or a machine picked up.
import { mulawLoudness } from '../../../../platform/mulaw.ts';
import { isBeep } from './is-beep.ts';
import { frameMs } from './ticker.ts';

export interface DetectionSettings {
  readonly mode: 'Enable' | 'DetectMessageEnd';
  readonly timeoutMs: number;
  /** A greeting longer than this is a machine's. */
  readonly speechThresholdMs: number;
  /** Silence that ends the greeting. */
  readonly speechEndThresholdMs: number;
  readonly silenceTimeoutMs: number;
}

export type AnsweredBy =
  'human' | 'machine_start' | 'machine_end_beep' | 'machine_end_silence' | 'unknown';

const voiceLoudness = 150;

export class MachineDetection {
  readonly #settings: DetectionSettings;
  #heardMs = 0;
  /** From the first sound to the last, pauses within the greeting included. */
  #greetingMs = 0;
  #greetingStartMs: number | null = null;
  #silenceMs = 0;
  #beeped = false;

  constructor(settings: DetectionSettings) {
    this.#settings = settings;
  }

  get heardMs(): number {
    return this.#heardMs;
  }

  /** Takes one frame of the answering side; the answer comes once it is clear. */
  listen(frame: Uint8Array): AnsweredBy | null {
    this.#heardMs += frameMs;
    if (mulawLoudness(frame) > voiceLoudness) {
      this.#greetingStartMs ??= this.#heardMs - frameMs;
      this.#greetingMs = this.#heardMs - this.#greetingStartMs;
      this.#silenceMs = 0;
      this.#beeped = isBeep(frame);
    } else {
      this.#silenceMs += frameMs;
    }
    return this.#settings.mode === 'Enable' ? this.#decide() : this.#decideMessageEnd();
  }

  #decide(): AnsweredBy | null {
    if (this.#greetingMs > this.#settings.speechThresholdMs) return 'machine_start';
    return this.#decideShortGreeting();
  }

  #decideMessageEnd(): AnsweredBy | null {
    if (this.#greetingMs <= this.#settings.speechThresholdMs) return this.#decideShortGreeting();
    if (this.#beeped && this.#silenceMs >= frameMs) return 'machine_end_beep';
    if (this.#silenceMs >= this.#settings.speechEndThresholdMs) return 'machine_end_silence';
    return this.#heardMs >= this.#settings.timeoutMs ? 'unknown' : null;
  }

  #decideShortGreeting(): AnsweredBy | null {
    const spoke = this.#greetingStartMs !== null;
    if (spoke && this.#silenceMs >= this.#settings.speechEndThresholdMs) return 'human';
    if (!spoke && this.#silenceMs >= this.#settings.silenceTimeoutMs) return 'unknown';
    return this.#heardMs >= this.#settings.timeoutMs ? 'unknown' : null;
  }
}
