// What every verb is handed: the database, the clock, the ports, and a few settings. Built once, in compose/.
import type { Clock } from '../platform/clock.ts';
import type { Db } from '../platform/db.ts';
import type { Logger } from '../platform/log.ts';
import type { Calendar } from './calls/calendar.ts';
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
  readonly numbers: Numbers;
  readonly calendar: Calendar;
  readonly recordings: RecordingStore;
  /** Tells the jobs that something is due. Only a hint: the pump finds it anyway within a minute. */
  readonly wakeJobs: (dueAt: Date) => void;
  readonly readiness: () => Promise<{ database: boolean; queue: boolean }>;
  /** Why a receiver's URL cannot be used, or null. Looks nothing up. */
  readonly webhookUrlProblem: (url: string) => string | null;
}
