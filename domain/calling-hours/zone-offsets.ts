// The offset of a time zone from UTC at any instant, remembered between two changes of its clocks.
import { Temporal } from 'temporal-polyfill';

/** Between two changes of the clocks: `fromMs` counts in, `untilMs` does not. */
export interface OffsetSpan {
  readonly offsetMs: number;
  readonly fromMs: number;
  readonly untilMs: number;
}

export interface ZoneOffsets {
  readonly timeZone: string;
  spanAt(instantMs: number): OffsetSpan;
}

const zones = new Map<string, ZoneOffsets>();

/** `timeZone` is an IANA name. */
export function offsetsOf(timeZone: string): ZoneOffsets {
  const known = zones.get(timeZone);
  if (known) return known;
  const made = createOffsets(timeZone);
  zones.set(timeZone, made);
  return made;
}

const spansMax = 16;

function createOffsets(timeZone: string): ZoneOffsets {
  let spans: OffsetSpan[] = [];
  return {
    timeZone,
    spanAt(instantMs) {
      for (const span of spans)
        if (instantMs >= span.fromMs && instantMs < span.untilMs) return span;
      const span = readSpan(timeZone, instantMs);
      spans = [span, ...spans.slice(0, spansMax - 1)];
      return span;
    },
  };
}

function readSpan(timeZone: string, instantMs: number): OffsetSpan {
  const local = Temporal.Instant.fromEpochMilliseconds(instantMs).toZonedDateTimeISO(timeZone);
  // The change before may be this very instant, and "previous" looks strictly before.
  const before = local.add({ nanoseconds: 1 }).getTimeZoneTransition('previous');
  const after = local.getTimeZoneTransition('next');
  return {
    offsetMs: local.offsetNanoseconds / 1_000_000,
    fromMs: before?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    untilMs: after?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
  };
}
