// The network as one Telnyx account sees it.
import type { PhoneCall } from '../line/phone-call.ts';
import type { Network } from '../network.ts';
import { RecordBook } from '../record-book.ts';
import type { SandboxTelnyxAccount } from './account.ts';
import type { DialRequest } from './dial-request.ts';

const limits = { callsKept: 5_000 } as const;

/** A call with what only Telnyx knows of it. */
export interface DialedCall {
  /** The call control id. */
  readonly sid: string;
  readonly legId: string;
  readonly sessionId: string;
  readonly call: PhoneCall;
  /** Of a call that came in, what its answer ordered. */
  dial: DialRequest;
  /** Null for a call that was dialled. */
  readonly offer: CallOffer | null;
  /** Names of its webhooks, in order, whether they arrived or not. */
  readonly events: { readonly name: string; readonly at: Date }[];
}

/** A call to a number of the account, which waits for commands. */
export interface CallOffer {
  /** Ids of the commands that were done; each is done once. */
  readonly commandIds: Set<string>;
  decide(what: 'answered' | 'busy' | 'no-answer'): void;
  /** False while nobody is on the line. */
  speak(text: string): boolean;
}

export interface TelnyxNetwork extends Network {
  readonly account: SandboxTelnyxAccount;
  readonly dialed: RecordBook<DialedCall>;
  /** The call that a command id made first. */
  readonly commands: RecordBook<{ readonly sid: string; readonly made: DialedCall }>;
}

export function openTelnyxNetwork(network: Network, account: SandboxTelnyxAccount): TelnyxNetwork {
  const isOver = ({ call }: DialedCall) => call.endedAt !== null;
  return {
    ...network,
    account,
    dialed: new RecordBook(limits.callsKept, isOver),
    commands: new RecordBook(limits.callsKept, ({ made }) => isOver(made)),
  };
}
