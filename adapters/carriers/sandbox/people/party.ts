// Whoever or whatever is at the far end of an answered call.
import type { Network } from '../network.ts';
import type { SaidLine } from '../line/phone-call.ts';

export interface Party {
  /** Takes 20 ms of what is heard and returns the same 20 ms of what is said. */
  exchange(heard: Uint8Array, atMs: number): Uint8Array;
  /** The line is dead. */
  leave(): void;
}

/** What a party may do beyond listening and speaking. */
export interface Phone {
  readonly network: Network;
  /** Whoever called waits to be greeted. */
  readonly isCaller: boolean;
  hangUp(): void;
  /** Keeps a line of the conversation for whoever inspects the call later. */
  note(line: SaidLine): void;
}
