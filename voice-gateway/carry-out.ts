// Carries out one effect of the call machine; what comes of it returns as an event.
import type { CallParts } from './call-parts.ts';
import { type FixedLine, wordFixedLine } from './fixed-lines.ts';
import type { CallEffect } from './machine/call-effect.ts';

type Effect<Kind extends CallEffect['kind']> = Extract<CallEffect, { kind: Kind }>;

export function carryOut(call: CallParts, effect: Exclude<CallEffect, Effect<'finish'>>): void {
  const { speaker, conversation, transcript, line, brief } = call;
  switch (effect.kind) {
    case 'say':
      return void sayLine(call, effect.utteranceId, effect.line);
    case 'think':
      return conversation.reply(effect);
    case 'abandon_reply':
      return conversation.abandon();
    case 'pause_speech':
      return speaker.pause();
    case 'resume_speech':
      return speaker.resume();
    case 'silence_speech':
      return speaker.silence();
    case 'keep_person_turn':
      return transcript.person(effect.text, effect.fromMs, effect.toMs);
    case 'open_recording':
      return openRecording(call, effect);
    case 'delete_recording':
      return void line.insist('delete recording', () => call.recording.stopAndDelete());
    case 'report_person': {
      const answeredAt = wallClock(call, effect.answeredAtMs);
      return void line.insist('person answered', () => line.desk.personAnswered(brief, answeredAt));
    }
    case 'extend_hold':
      return void extendHold(call);
    case 'keep_opt_out':
      return void keepOptOut(call, effect);
    case 'hang_up':
      return void line.insist('hang up', () => line.desk.hangUp(brief, brief.carrierCallId));
  }
}

/** Media times are stored as moments; the stream's first sample is time zero. */
export function wallClock({ startedAt }: CallParts, atMs: number): Date {
  return new Date(startedAt.getTime() + Math.round(atMs));
}

async function sayLine(call: CallParts, utteranceId: string, line: FixedLine): Promise<void> {
  const { speaker, emit } = call;
  try {
    await speaker.speak(utteranceId, wordFixedLine(line, call.brief));
  } catch (error) {
    call.log.error({ err: error, line }, 'voice failed');
    return emit({ kind: 'voice_failed', utteranceId });
  }
  emit({ kind: 'line_made', utteranceId, remainingMs: speaker.remainingMs });
  speaker.seal(utteranceId);
}

/** The ledger must prove what the machine concluded; without the proof there is no recording. */
function openRecording(call: CallParts, effect: Effect<'open_recording'>): void {
  const { lastPiece } = call.speaker.heard(effect.noticeUtteranceId);
  try {
    if (lastPiece) call.recording.open(lastPiece, effect.firstSpeechAtMs);
  } catch (error) {
    call.log.error({ err: error }, 'recording gate stayed shut');
  }
}

async function extendHold({ line, brief, emit }: CallParts): Promise<void> {
  const extended = await line.insist('extend hold', () => line.desk.extendHold(brief));
  emit({ kind: extended === 'extended' ? 'hold_extended' : 'hold_insufficient' });
}

/** One try: the machine decides how often to repeat it. */
async function keepOptOut(call: CallParts, { optOut }: Effect<'keep_opt_out'>): Promise<void> {
  const { line, brief, emit, log } = call;
  const kept = line.desk.optOut(brief, optOut.why, optOut.quote);
  line.mention('opt out', () => kept);
  try {
    await kept;
    log.info({ why: optOut.why }, 'opt-out kept');
    emit({ kind: 'opt_out_kept' });
  } catch {
    emit({ kind: 'opt_out_failed' });
  }
}
