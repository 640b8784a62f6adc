// A call in the sandbox network: what was ordered, and what became of it.
import type { Person } from '../people/person.ts';
import type { DetectionSettings } from './machine-detection.ts';

const limits = { warningsMax: 50, linesMax: 500 } as const;

export type CallStatus =
  'queued' | 'ringing' | 'in-progress' | 'completed' | 'busy' | 'no-answer' | 'canceled';

/** What every protocol orders; how it is told about the call is its own business. */
export interface CallOrder {
  readonly to: string;
  readonly from: string;
  /** How long it may ring. */
  readonly timeoutSeconds: number;
  /** How long it may last once answered. */
  readonly timeLimitSeconds: number;
  readonly detection: DetectionSettings | null;
  /** Nothing runs before the detection decided: the person hears dead air. */
  readonly waitsForDetection: boolean;
}

export interface SaidLine {
  readonly who: 'agent' | 'person';
  readonly text: string;
  /** Since the call was answered. */
  readonly atMs: number;
}

export interface PhoneCall {
  readonly sid: string;
  /** As seen by the customer. */
  readonly direction: 'outbound' | 'inbound';
  readonly order: CallOrder;
  readonly person: Person;
  readonly createdAt: Date;
  readonly states: { readonly status: CallStatus; readonly at: Date }[];
  /** What the person heard and said, in words. */
  readonly conversation: SaidLine[];
  readonly warnings: { readonly code: number; readonly message: string }[];
  status: CallStatus;
  dialedAt: Date | null;
  answeredAt: Date | null;
  endedAt: Date | null;
  /** By machine detection; null until it decided. */
  answeredBy: string | null;
}

/** What is needed to act on a call while it lives. */
export interface LiveCall {
  readonly call: PhoneCall;
  hangUp(): void;
  /** The person presses a key; false when nobody listens. */
  press(digit: string): boolean;
  /** Resolves when the first status callback was taken, or is not wanted. */
  readonly announced: Promise<void>;
  readonly ended: Promise<void>;
}

/** A call that was just made, under the id that its protocol gives it. */
export function newPhoneCall(
  start: Pick<PhoneCall, 'sid' | 'direction' | 'order' | 'person' | 'createdAt'>,
): PhoneCall {
  return {
    ...start,
    states: [{ status: 'queued', at: start.createdAt }],
    conversation: [],
    warnings: [],
    status: 'queued',
    dialedAt: null,
    answeredAt: null,
    endedAt: null,
    answeredBy: null,
  };
}

export function setStatus(call: PhoneCall, status: CallStatus, at: Date): void {
  call.status = status;
  call.states.push({ status, at });
}

export function warn(call: PhoneCall, code: number, message: string): void {
  if (call.warnings.length < limits.warningsMax) call.warnings.push({ code, message });
}

export function addLine(call: PhoneCall, line: SaidLine): void {
  if (call.conversation.length < limits.linesMax) call.conversation.push(line);
}

/** Seconds of talk; null for a call that was never answered or still lasts. */
export function durationSeconds(call: PhoneCall): number | null {
  if (!call.answeredAt || !call.endedAt) return null;
  return Math.round((call.endedAt.getTime() - call.answeredAt.getTime()) / 1_000);
}
