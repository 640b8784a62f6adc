// What things cost, in micro-dollars. Pure.
import { limits } from '../../openapi/limits.ts';

export const microsPerCent = 10_000;

export interface Prices {
  readonly minuteMicros: number;
  readonly textMicros: number;
}

/** Price of one connected minute to a destination and of one text. */
export function pricesFor(surchargeMicrosPerMinute: number): Prices {
  return {
    minuteMicros: limits.pricing.connectedMinuteMicros + surchargeMicrosPerMinute,
    textMicros: limits.pricing.textMessageMicros,
  };
}

export interface CallCharge {
  readonly durationSeconds: number;
  readonly billedMinutes: number;
  readonly chargedMicros: number;
}

export const noCharge: CallCharge = { durationSeconds: 0, billedMinutes: 0, chargedMicros: 0 };

/** Talk time rounded up to whole minutes; never more minutes than were held before they began. */
export function chargeForTalk(
  talk: { startedAt: Date; endedAt: Date } | null,
  hold: { minutes: number; minutePriceMicros: number } | null,
): CallCharge {
  if (!talk) return noCharge;
  const talkMs = Math.max(0, talk.endedAt.getTime() - talk.startedAt.getTime());
  const durationSeconds = Math.ceil(talkMs / 1000);
  if (!hold)
    return { durationSeconds, billedMinutes: Math.ceil(durationSeconds / 60), chargedMicros: 0 };
  const billedMinutes = Math.min(Math.ceil(durationSeconds / 60), hold.minutes);
  return { durationSeconds, billedMinutes, chargedMicros: billedMinutes * hold.minutePriceMicros };
}

export function centsFromMicros(micros: number): number {
  return Math.round(micros / microsPerCent);
}
