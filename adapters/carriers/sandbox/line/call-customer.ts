// The customer's side of one call, in the words of their protocol.
import type { Line } from './line.ts';

export type CallProgress = 'initiated' | 'ringing' | 'answered' | 'completed';

export interface CallCustomer {
  /** Resolves when the callback was taken, given up, or is not wanted. */
  told(progress: CallProgress): Promise<void>;
  machineDetected(afterMs: number): void;
  /** Carries out what is wanted with the answered call; the call ends when it returns. */
  converse(line: Line, over: AbortSignal): Promise<void>;
}

/** The customer whose number somebody calls. */
export interface CalledCustomer extends CallCustomer {
  /** What becomes of the call, before anything is answered. */
  offered(over: AbortSignal): Promise<'answered' | 'busy' | 'no-answer'>;
}
