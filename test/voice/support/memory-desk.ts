// A call desk in memory: one brief per token, and everything that was asked of it for the test to read.
import type { AgentConfig } from '../../../domain/agents/agent-config.ts';
import type {
  AnsweredBy,
  CallBrief,
  CallDesk,
  CallReport,
  HeardTurn,
  Slot,
} from '../../../domain/calls/call-desk.ts';

export interface MemoryDeskOptions {
  readonly agent?: Partial<AgentConfig>;
  readonly direction?: CallBrief['direction'];
  readonly answeredBy?: AnsweredBy;
  /** How many further minutes the wallet pays for; endless unless given. */
  readonly extensions?: number;
  /** How many opt-outs fail before one is kept. */
  readonly optOutFailures?: number;
  readonly slots?: readonly Slot[];
  /** What of the calendar cannot be had. */
  readonly calendarFails?: 'slots' | 'booking' | 'silence';
  /** What the carrier does when asked to end a call. */
  onHangUp?(carrierCallId: string): void;
}

export interface MemoryDesk extends CallDesk {
  readonly brief: CallBrief;
  /** Everything in the order in which it was asked. */
  readonly journal: string[];
  readonly turns: Map<number, HeardTurn>;
  readonly reports: CallReport[];
  readonly recordings: { path: string; durationMs: number }[];
  /** Resolves with the first report. */
  readonly reported: Promise<CallReport>;
  verdict(answeredBy: AnsweredBy): void;
}

export const testAgent: AgentConfig = {
  businessName: 'Summit Roofing',
  purpose: 'about the roof quote you asked for',
  language: 'en-US',
  timezone: 'America/New_York',
  voice: 'slt',
  questions: [
    {
      key: 'homeowner',
      question: 'Are you the owner of the home?',
      type: 'yes_no',
      required: true,
      weight: 50,
      passes: { kind: 'yes_no', is: true },
      knockout: true,
    },
    {
      key: 'roof_age_years',
      question: 'How old is your roof in years?',
      type: 'number',
      required: true,
      weight: 50,
      knockout: false,
    },
  ],
  qualifyThreshold: 70,
  offersAppointment: true,
  appointmentMinutes: 60,
  voicemailText: 'Sorry that we missed you.',
  cadence: { maxAttempts: 3, retryIntervalMinutes: 60, sendSmsOnVoicemail: true },
  maxCallSeconds: 600,
};

/** A Tuesday in New York, at ten and eleven in the morning. */
export const testSlots: readonly Slot[] = [
  { startTime: '2026-11-24T15:00:00.000Z', minutes: 60 },
  { startTime: '2026-11-24T16:00:00.000Z', minutes: 60 },
  { startTime: '2026-11-25T19:30:00.000Z', minutes: 60 },
  { startTime: '2026-11-25T20:30:00.000Z', minutes: 60 },
];

export function createMemoryDesk(token: string, options: MemoryDeskOptions = {}): MemoryDesk {
  const journal: string[] = [];
  const turns = new Map<number, HeardTurn>();
  const reports: CallReport[] = [];
  const recordings: MemoryDesk['recordings'] = [];
  const listeners = new Set<(answeredBy: AnsweredBy) => void>();
  const { promise: reported, resolve: report } = Promise.withResolvers<CallReport>();
  const slots = options.slots ?? testSlots;
  const taken = new Set<string>();
  let extensions = options.extensions ?? Infinity;
  let optOutFailures = options.optOutFailures ?? 0;
  let used = false;
  const brief = briefOf(token, options);

  return {
    brief,
    journal,
    turns,
    reports,
    recordings,
    reported,
    verdict: (answeredBy) => listeners.forEach((listener) => listener(answeredBy)),
    checkToken: (candidate) => (candidate === token ? 'good' : 'bad_token'),
    async admit(candidate, carrierCallId) {
      journal.push('admit');
      if (candidate !== token) return { kind: 'refused', reason: 'bad_token' };
      if (used) return { kind: 'refused', reason: 'used' };
      if (carrierCallId === 'CA-of-another-call') return { kind: 'refused', reason: 'other_call' };
      used = true;
      return { kind: 'admitted', brief: { ...brief, carrierCallId } };
    },
    async personAnswered() {
      journal.push('personAnswered');
    },
    async keepTurn(_call, turn) {
      turns.set(turn.position, turn);
    },
    async keepAlive() {
      journal.push('keepAlive');
    },
    async extendHold() {
      journal.push('extendHold');
      extensions -= 1;
      return extensions < 0 ? 'insufficient' : 'extended';
    },
    async optOut(_call, why) {
      optOutFailures -= 1;
      if (optOutFailures >= 0) throw new Error('the database is away');
      journal.push(`optOut ${why}`);
    },
    async freeSlots(_call, count) {
      if (options.calendarFails === 'slots') throw new Error('the calendar is away');
      if (options.calendarFails === 'silence') return new Promise(() => {});
      return slots.filter((slot) => !taken.has(slot.startTime)).slice(0, count);
    },
    async book(_call, slot) {
      journal.push(`book ${slot.startTime}`);
      if (options.calendarFails === 'booking') return { kind: 'unavailable' };
      taken.add(slot.startTime);
      return { kind: 'booked', startTime: slot.startTime, calendarEventId: 'cal_test' };
    },
    onAnsweredBy(_call, listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async hangUp(_call, carrierCallId) {
      journal.push('hangUp');
      options.onHangUp?.(carrierCallId);
    },
    async keepRecording(_call, path, durationMs) {
      journal.push('keepRecording');
      recordings.push({ path, durationMs });
    },
    async finish(_call, callReport) {
      journal.push('finish');
      reports.push(callReport);
      report(callReport);
    },
  };
}

function briefOf(token: string, options: MemoryDeskOptions): CallBrief {
  return {
    workspaceId: 'wsp_test',
    orderId: 'ord_test',
    attemptId: `att_${token}`,
    carrierCallId: '',
    direction: options.direction ?? 'outbound',
    agent: { ...testAgent, ...options.agent },
    lead: { firstName: 'Sam', customContext: null },
    answeredBy: options.answeredBy ?? null,
  };
}

/** The transcript as lines of "role: words". */
export function transcriptOf(desk: MemoryDesk): string[] {
  return [...desk.turns.values()]
    .toSorted((one, other) => one.position - other.position)
    .map((turn) => `${turn.role}: ${turn.text}`);
}
