// Which of the offered times the person means.
import type { Slot } from '../../../domain/calls/call-desk.ts';
import { classifyUtterance } from '../../../domain/calls/phrases/classify-utterance.ts';
import { normaliseUtterance } from '../../../domain/calls/phrases/normalise-utterance.ts';
import { phrase } from '../../../domain/calls/phrases/phrase-rule.ts';
import { readNumber } from './read-number.ts';
import { readYesNo } from './read-yes-no.ts';

export type SlotChoice =
  | { readonly kind: 'chosen'; readonly slot: Slot }
  /** Wants an appointment, at another time. */
  | { readonly kind: 'neither' }
  /** Wants no appointment now. */
  | { readonly kind: 'declined' }
  | { readonly kind: 'unclear' };

export function chooseSlot(spoken: string, offered: readonly Slot[], timezone: string): SlotChoice {
  const text = normaliseUtterance(spoken);
  if (declines.test(text)) return { kind: 'declined' };
  const named = byDayAndHour(text, offered, timezone);
  if (named.kind === 'chosen') return named;
  if (refuses.test(text)) return { kind: 'neither' };
  const placed = byPlace(text, offered);
  if (placed) return { kind: 'chosen', slot: placed };
  if (named.kind === 'neither') return named;
  if (classifyUtterance(spoken) === 'not_interested') return { kind: 'declined' };
  const agreed = readYesNo(spoken);
  if (agreed === false) return { kind: 'neither' };
  const [only] = offered;
  const settled = agreed === true && offered.length === 1 && only;
  return settled ? { kind: 'chosen', slot: only } : { kind: 'unclear' };
}

const declines = phrase(
  String.raw`\b(?:no appointment|not (?:want|need) (?:an? |any )?(?:appointment|meeting|visit)`,
  String.raw`|not ready|e ?mail me|text me|just send|send me|think about it|not (?:right )?now`,
  String.raw`|call you (?:back )?(?:when|if|later))\b`,
);

const refuses = phrase(
  String.raw`\b(?:neither|none|nor|something else`,
  String.raw`|(?:another|other|different|any other) (?:times?|days?|dates?|options?)`,
  String.raw`|(?:do|does|will|would|can) not (?:work|do|make)`,
  String.raw`|not (?:good|available|free|possible|those|these|either))\b`,
);

const places: readonly (readonly [RegExp, number])[] = [
  [/\b(?:first|former|earlier|earliest|sooner|soonest|either|both|any|whichever|whatever)\b/, 0],
  [/\b(?:you (?:pick|choose|decide)|do not (?:care|mind)|does not matter|all good)\b/, 0],
  [/\b(?:second|latter|later|latest|last|other one)\b/, -1],
];

function byPlace(text: string, offered: readonly Slot[]): Slot | undefined {
  const place = places.find(([pattern]) => pattern.test(text));
  return place && offered.at(place[1]);
}

/** Keeps the offers that fit every day and hour that was named. */
function byDayAndHour(text: string, offered: readonly Slot[], timezone: string): SlotChoice {
  const day = /\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\btoday\b|\btomorrow\b/.exec(
    text,
  )?.[0];
  const time = readTime(text, day !== undefined);
  if (day === undefined && time === null) return { kind: 'unclear' };
  const fitting = offered.filter((slot) => {
    const local = localTime(slot, timezone);
    const fitsDay = day === undefined || day === 'today' || day === 'tomorrow' || local.day === day;
    return fitsDay && (time === null || fitsTime(local, time));
  });
  const [first] = fitting;
  if (!first) return { kind: 'neither' };
  return fitting.length === 1 ? { kind: 'chosen', slot: first } : { kind: 'unclear' };
}

interface NamedTime {
  readonly hour: number;
  readonly minute: number;
  readonly half: 'am' | 'pm' | null;
}

/** "ten thirty", "2 in the afternoon", "noon"; a bare number counts when it can be an hour. */
function readTime(text: string, dayNamed: boolean): NamedTime | null {
  if (/\bnoon\b|\bmidday\b/.test(text)) return { hour: 12, minute: 0, half: 'pm' };
  const half = /\bp ?m\b|\bafternoon\b|\bevening\b/.test(text)
    ? 'pm'
    : /\ba ?m\b|\bmorning\b/.test(text)
      ? 'am'
      : null;
  const afterDay = dayNamed ? text.replace(/^.*?day\b/, '') : text;
  const withoutOne = afterDay.replace(
    /\b(?:first|second|last|other|this|that|which|the) one\b/g,
    '',
  );
  const clock = /\b(\d{1,2}) (\d{2})\b/.exec(withoutOne);
  const hour = clock ? Number(clock[1]) : readNumber(withoutOne);
  if (hour === null || hour < 1 || hour > 12) return null;
  const minute = clock ? Number(clock[2]) : /\bthirty\b|\bhalf\b/.test(text) ? 30 : 0;
  return { hour, minute, half };
}

interface LocalTime {
  readonly day: string;
  readonly hour: number;
  readonly minute: number;
}

function fitsTime(local: LocalTime, named: NamedTime): boolean {
  const half = local.hour < 12 ? 'am' : 'pm';
  const hour = local.hour % 12 === 0 ? 12 : local.hour % 12;
  const halfFits = named.half === null || named.half === half;
  return hour === named.hour && local.minute === named.minute && halfFits;
}

function localTime(slot: Slot, timezone: string): LocalTime {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    weekday: 'long',
    hour: 'numeric',
    minute: 'numeric',
    hourCycle: 'h23',
  }).formatToParts(new Date(slot.startTime));
  const part = (type: string) => parts.find((candidate) => candidate.type === type)?.value ?? '';
  return {
    day: part('weekday').toLowerCase(),
    hour: Number(part('hour')),
    minute: Number(part('minute')),
  };
}
