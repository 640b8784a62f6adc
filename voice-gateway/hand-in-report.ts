// The end of a call: the recording is handed over and the one report is made.
import type { CallReport } from '../domain/calls/call-report.ts';
import type { CallParts } from './call-parts.ts';
import { wallClock } from './carry-out.ts';
import { askedKeys } from './conversation-facts.ts';
import type { CallFacts } from './machine/call-effect.ts';

const limits = {
  /** A tool that hangs must not hold the report for ever. */
  replySettlesMs: 5_000,
} as const;

/** Never rejects: what cannot be handed in is logged, and the watchdog ends the attempt. */
export async function handInReport(call: CallParts, facts: CallFacts): Promise<void> {
  const { line, brief, log, clock, conversation } = call;
  call.keepTurns();
  await Promise.race([conversation.settled(), clock.sleep(limits.replySettlesMs)]);
  const recorded = await call.recording.close();
  if (recorded) {
    const { path, durationMs } = recorded;
    await line.insist('keep recording', () => line.desk.keepRecording(brief, path, durationMs));
  }
  await line.settled();
  const report = writeReport(call, facts);
  await line.insist('finish', () => line.desk.finish(brief, report));
  log.info(
    {
      answeredBy: report.answeredBy,
      endedBy: report.endedBy,
      recordedMs: recorded?.durationMs ?? 0,
      turnLatenciesMs: report.turnLatenciesMs,
    },
    'call ended',
  );
}

function writeReport(call: CallParts, facts: CallFacts): CallReport {
  const { speaker, brief } = call;
  const known = call.facts.read((utteranceId) => speaker.heard(utteranceId).text !== '');
  const at = (atMs: number | null) => (atMs === null ? null : wallClock(call, atMs));
  return {
    answeredBy: facts.answeredBy,
    talkStartedAt: at(facts.talkStartedAtMs),
    talkEndedAt: at(facts.talkEndedAtMs),
    personSpoke: facts.personSpoke,
    endedBy: facts.endedBy,
    optedOut: facts.optedOut,
    interest: known.interest,
    answers: [...known.answers],
    booking: known.booking,
    calendarFailed: call.calendar.failed(),
    askedKeys: askedKeys(brief.agent, known.asked),
    summary: null,
    recordingObjected: facts.recordingObjected,
    turnLatenciesMs: call.conversation.turnLatenciesMs.map(Math.round),
    brain: call.brainName,
  };
}
