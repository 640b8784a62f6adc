// What every verb is handed: the database, the clock, the ports, and a few settings. Built once, in compose/.
import type { Clock } from '../platform/clock.ts';
import type { Db } from '../platform/db.ts';
import type { Logger } from '../platform/log.ts';
import type { RateDecks } from './billing/rate-deck.ts';
import type { Payments } from './billing/payments.ts';
import type { Analyst } from './calls/analyst.ts';
import type { OpenCalendar } from './calls/calendar.ts';
import type { Carrier, CarrierCallbacks, Texts } from './calls/carrier.ts';
import type { Numbers } from './calls/numbers.ts';
import type { RecordingStore } from './calls/recording-store.ts';

export interface Settings {
  /** Divides every simulated duration of test-key orders; 1 is real time. */
  readonly simulationSpeed: number;
  /** Origin of callbacks and recording links. */
  readonly publicUrl: string;
  /** ws or wss origin of the media socket. */
  readonly gatewayPublicUrl: string;
  readonly webhookAllowLocalUrls: boolean;
  /** The carrier is the sandbox network, where fictional numbers ring at any hour: no real room hears it. */
  readonly ringsSandbox: boolean;
  /** Calls that may be placed per second over all processes; null when the carrier sets no limit. */
  readonly carrierCallsPerSecond: number | null;
}

export interface Context {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Logger;
  readonly settings: Settings;
  /** Signs media tokens and opens sealed secrets. */
  readonly appSecret: string;
  readonly carrier: Carrier & Texts;
  readonly carrierCallbacks: CarrierCallbacks;
  readonly rateDecks: RateDecks;
  readonly openCalendar: OpenCalendar;
  /** Null: what the rules found by the end of a call is all. */
  readonly analyst: Analyst | null;
  readonly numbers: Numbers;
  readonly recordings: RecordingStore;
  /** Null where no provider is configured: money then comes in as an operator's credit. */
  readonly payments: Payments | null;
  /** Tells the jobs that something is due. Only a hint: the pump finds it anyway within a minute. */
  readonly wakeJobs: (dueAt: Date) => void;
  readonly readiness: () => Promise<{ database: boolean; queue: boolean }>;
  /** Why a receiver's URL cannot be used, or null. Looks nothing up. */
  readonly webhookUrlProblem: (url: string) => string | null;
}
