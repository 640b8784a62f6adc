// What every part of the sandbox phone network works with. Built once, in start-sandbox.ts.
import type { SpeechToText, TextToSpeech } from '../../../domain/calls/speech.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Callbacks } from './callbacks.ts';
import type { FaultPlan } from './fault-plan.ts';
import type { LiveCall, PhoneCall } from './line/phone-call.ts';
import type { Ticker } from './line/ticker.ts';
import type { NumberShop } from './number-shop.ts';
import type { RecordBook } from './record-book.ts';
import type { SandboxLog } from './sandbox-log.ts';
import type { TextMessage } from './text-message.ts';

export interface Network {
  /** Divides ring times and thinking pauses, never audio. */
  readonly simulationSpeed: number;
  readonly log: SandboxLog;
  /** Aborted when the network shuts down; ends every wait that no call owns. */
  readonly closing: AbortSignal;
  readonly clock: Clock;
  readonly calls: RecordBook<PhoneCall>;
  readonly texts: RecordBook<TextMessage>;
  /** Pairs of numbers between which a STOP stands; see `pairOf`. */
  readonly stoppedPairs: Set<string>;
  /** By the call's sid, from the order to place it until it ended. */
  readonly liveCalls: Map<string, LiveCall>;
  readonly faults: FaultPlan;
  readonly numbers: NumberShop;
  readonly callbacks: Callbacks;
  readonly voice: TextToSpeech;
  readonly ears: SpeechToText;
  readonly ticker: Ticker;
}
