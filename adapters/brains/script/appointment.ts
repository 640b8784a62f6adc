// Offers times, understands the choice, and books.
import type { BrainEvent, BrainTools, BrainTurn } from '../../../domain/calls/brain.ts';
import type { Slot } from '../../../domain/calls/call-desk.ts';
import { chooseSlot } from './choose-slot.ts';
import { lines } from './lines.ts';
import { hangUpAfter, say } from './moves.ts';
import { readYesNo } from './read-yes-no.ts';
import { speakOffer, speakSlot } from './speak-slot.ts';

const limits = { offers: 4, slotsPerOffer: 2 } as const;

type Reply = AsyncGenerator<BrainEvent>;

/** Two times that were not offered before. */
export async function* offerTimes(turn: BrainTurn, tools: BrainTools): Reply {
  const { offers } = turn.facts;
  const free = await tools.checkSlots((offers + 1) * limits.slotsPerOffer);
  if (free === 'unavailable') return yield* hangUpAfter(tools, lines.cannotBook(turn.agent));
  const offered = new Set(turn.facts.offered.map((slot) => slot.startTime));
  const last = turn.facts.offered.at(-1)?.startTime ?? '';
  const fresh = free.filter((slot) => !offered.has(slot.startTime) && slot.startTime > last);
  const slots = fresh.slice(0, limits.slotsPerOffer);
  if (slots.length === 0) return yield* hangUpAfter(tools, lines.noTime(turn.agent));
  const times = spokenTimes(turn, slots);
  yield* say(offers === 0 ? lines.offer(times, slots.length === 1) : lines.offerOthers(times));
  yield* offer(slots);
}

/** The person has heard an offer; a booking that is already made is only confirmed. */
export async function* settleAppointment(
  turn: BrainTurn,
  tools: BrainTools,
  said: string,
  digressed: boolean,
): Reply {
  const { booking, offered, offers } = turn.facts;
  if (booking) return yield* confirm(turn, tools, booking.startTime);
  const choice = chooseSlot(said, offered, turn.agent.timezone);
  switch (choice.kind) {
    case 'chosen':
      return yield* bookSlot(turn, tools, choice.slot);
    case 'declined':
      return yield* hangUpAfter(tools, lines.willFollowUp(turn.agent));
    case 'neither':
      if (offers >= limits.offers) return yield* hangUpAfter(tools, lines.noTime(turn.agent));
      return yield* offerTimes(turn, tools);
    case 'unclear':
      return yield* offerAgain(turn, tools, said, digressed);
  }
}

/** "Yes" to two times twice over means that either will do. */
async function* offerAgain(
  turn: BrainTurn,
  tools: BrainTools,
  said: string,
  digressed: boolean,
): Reply {
  const { offered, offers } = turn.facts;
  const [first] = offered;
  if (offers >= limits.offers || !first) return yield* hangUpAfter(tools, lines.noTime(turn.agent));
  if (offers > 1 && !digressed && readYesNo(said) === true)
    return yield* bookSlot(turn, tools, first);
  if (!digressed) yield* say(lines.notUnderstood);
  yield* say(lines.offerAgain(spokenTimes(turn, offered)));
  yield* offer(offered);
}

async function* bookSlot(turn: BrainTurn, tools: BrainTools, slot: Slot): Reply {
  tools.noteInterest('yes');
  const result = await tools.book(slot);
  switch (result.kind) {
    case 'booked':
      return yield* confirm(turn, tools, result.startTime);
    case 'taken':
      yield* say(lines.taken);
      return yield* offerTimes(turn, tools);
    case 'unavailable':
      return yield* hangUpAfter(tools, lines.cannotBook(turn.agent));
  }
}

function* confirm(turn: BrainTurn, tools: BrainTools, startTime: string): Generator<BrainEvent> {
  yield* hangUpAfter(tools, lines.booked(speakSlot(startTime, turn.agent.timezone, 'with_date')));
}

function* offer(slots: readonly Slot[]): Generator<BrainEvent> {
  yield { kind: 'offer', slots };
  yield { kind: 'ask', key: null, expects: slots.length === 1 ? 'yes_no' : 'words' };
}

function spokenTimes(turn: BrainTurn, slots: readonly Slot[]): string {
  const startTimes = slots.map((slot) => slot.startTime);
  return speakOffer(startTimes, turn.agent.timezone, turn.now);
}
