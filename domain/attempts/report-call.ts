// The end of a live call as the gateway tells it, weighed into an outcome.
import { closeBooking } from '../appointments/appointment-queries.ts';
import type { CallRef } from '../calls/call-desk.ts';
import type { CallReport } from '../calls/call-report.ts';
import { qualifyLead } from '../calls/qualify-lead.ts';
import { summariseCall } from '../calls/summarise-call.ts';
import type { AgentConfig } from '../agents/agent-config.ts';
import type { Context } from '../context.ts';
import type { AttemptOutcome } from './after-attempt.ts';
import { finishAttempt, type AttemptEnding } from './finish-attempt.ts';
import { noAppointment } from '../orders/order.ts';

/** Ends the attempt with the gateway's report; a repeated report changes nothing. */
export async function reportCall(ctx: Context, call: CallRef, report: CallReport): Promise<void> {
  // A calendar may confirm when the person has hung up already; one that was told to have failed is not believed.
  const confirmed = await closeBooking(ctx.db, call, ctx.clock.now());
  const booking = report.booking ?? (report.calendarFailed ? null : confirmed);
  await finishAttempt(ctx, call, (file) => endingFromReport(file.agent, { ...report, booking }));
}

export function endingFromReport(agent: AgentConfig, report: CallReport): AttemptEnding {
  const talk =
    report.answeredBy === 'person' && report.talkStartedAt && report.talkEndedAt
      ? { startedAt: report.talkStartedAt, endedAt: report.talkEndedAt }
      : null;
  return {
    outcome: talk ? personOutcome(agent, report, talk) : { kind: nobody(report) },
    answeredBy: report.answeredBy === 'nobody' ? 'unknown' : report.answeredBy,
    talk,
    report,
  };
}

function nobody(report: CallReport): 'machine' | 'no_answer' {
  return report.answeredBy === 'machine' ? 'machine' : 'no_answer';
}

function personOutcome(
  agent: AgentConfig,
  report: CallReport,
  talk: { startedAt: Date; endedAt: Date },
): AttemptOutcome {
  const scoring = qualifyLead(agent, report.answers, report.askedKeys);
  const booked = report.booking !== null;
  const declined = report.interest === 'no' || report.optedOut !== null;
  return {
    kind: 'person',
    talk: {
      optedOut: report.optedOut,
      interest: report.interest,
      calendarFailed: report.calendarFailed ?? false,
      appointment: report.booking
        ? {
            booked: true,
            start_time: report.booking.startTime,
            calendar_event_id: report.booking.calendarEventId,
          }
        : noAppointment,
      qualification: {
        qualified: booked ? true : declined ? false : qualifiedOf(scoring.verdict),
        score: scoring.score,
        extracted_answers: scoring.extractedAnswers,
        summary: report.summary ?? summariseCall(agent, report),
      },
      verdict: scoring.verdict,
      talkSeconds: Math.ceil((talk.endedAt.getTime() - talk.startedAt.getTime()) / 1000),
      personSpoke: report.personSpoke,
      ownFault: report.endedBy === 'own_fault',
    },
  };
}

function qualifiedOf(verdict: ReturnType<typeof qualifyLead>['verdict']): boolean | null {
  return verdict === 'undecided' ? null : verdict === 'qualified';
}
