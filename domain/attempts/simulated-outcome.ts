// Test keys: the last four digits choose what the simulated call finds. Pure.
import type { AttemptOutcome } from './after-attempt.ts';

/** How long the steps of a simulated call take at speed 1. */
export const simulation = {
  dialAfterSeconds: 3,
  ringSeconds: 7,
  talkSeconds: 45,
  voicemailSeconds: 20,
  retryAfterSeconds: 60,
} as const;

export type SimulatedPerson = 'books' | 'voicemail_then_books' | 'not_interested';

export function simulatedPerson(phone: string): SimulatedPerson {
  const lastFour = phone.slice(-4);
  if (lastFour === '0002') return 'voicemail_then_books';
  if (lastFour === '0003') return 'not_interested';
  return 'books';
}

export function answersWithVoicemail(phone: string, attemptNumber: number): boolean {
  return simulatedPerson(phone) === 'voicemail_then_books' && attemptNumber === 1;
}

/** The appointment of a simulated booking stands on the next day at 17:00 UTC. */
export function simulatedOutcome(phone: string, attemptNumber: number, now: Date): AttemptOutcome {
  if (answersWithVoicemail(phone, attemptNumber)) return { kind: 'machine' };
  const interested = simulatedPerson(phone) !== 'not_interested';
  const startTime = new Date(
    Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1, 17),
  );
  return {
    kind: 'person',
    talk: {
      optedOut: null,
      interest: interested ? 'yes' : 'no',
      appointment: interested
        ? {
            booked: true,
            start_time: startTime.toISOString(),
            calendar_event_id: `cal_simulated_${startTime.getTime()}`,
          }
        : { booked: false, start_time: null, calendar_event_id: null },
      qualification: {
        qualified: interested,
        score: interested ? 100 : 0,
        extracted_answers: {},
        summary: interested
          ? 'Simulated call: the person answered and booked an appointment.'
          : 'Simulated call: the person answered and was not interested.',
      },
      verdict: interested ? 'qualified' : 'undecided',
      talkSeconds: simulation.talkSeconds,
      personSpoke: true,
      ownFault: false,
    },
  };
}
