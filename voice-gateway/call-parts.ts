// All that one call holds besides its ears, put together.
import { join } from 'node:path';
import type { Brain } from '../domain/calls/brain.ts';
import type { CallBrief, CallDesk } from '../domain/calls/call-desk.ts';
import type { SpeechToText, TextToSpeech } from '../domain/calls/speech.ts';
import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/log.ts';
import { type CallCalendar, createCallCalendar } from './call-calendar.ts';
import { type CallRecording, createCallRecording } from './call-recording.ts';
import { type Conversation, createConversation } from './conversation.ts';
import { createFactBook, type FactBook } from './conversation-facts.ts';
import { type DeskLine, openDeskLine } from './desk-line.ts';
import { wordFixedLine } from './fixed-lines.ts';
import type { CallEffect } from './machine/call-effect.ts';
import type { CallEvent, CallHappening } from './machine/call-event.ts';
import type { FrameWriter } from './media/media-codec.ts';
import type { VoiceActivity } from './media/voice-activity.ts';
import { Speaker } from './speaker.ts';
import { createTranscript, type Transcript } from './transcript.ts';

export interface CallSessionOptions {
  readonly desk: CallDesk;
  readonly brief: CallBrief;
  /** When the media clock of the carrier stood at zero, on our monotonic clock. */
  readonly streamStartedMs: number;
  readonly clock: Clock;
  readonly log: Logger;
  readonly tts: TextToSpeech;
  readonly stt: SpeechToText;
  readonly brain: Brain;
  readonly voiceActivity: VoiceActivity;
  readonly recordingsDir: string;
  readonly frames: FrameWriter;
  readonly send: (frame: string) => void;
  /** Sees every event and its effects, for replay. */
  readonly observe?: (event: CallEvent, effects: readonly CallEffect[]) => void;
}

/** What the effects of the machine act on. */
export interface CallParts {
  readonly brief: CallBrief;
  readonly brainName: string;
  readonly clock: Clock;
  readonly line: DeskLine;
  readonly log: Logger;
  readonly speaker: Speaker;
  readonly transcript: Transcript;
  readonly conversation: Conversation;
  readonly calendar: CallCalendar;
  readonly facts: FactBook;
  readonly recording: CallRecording;
  /** The wall-clock moment at which the media stream began. */
  readonly startedAt: Date;
  /** Sends the turns that changed to the desk. */
  readonly keepTurns: () => void;
  readonly emit: (happening: CallHappening) => void;
}

export interface AssembleOptions extends CallSessionOptions {
  readonly emit: (happening: CallHappening) => void;
  readonly nowMs: () => number;
}

export function assembleCall(options: AssembleOptions): CallParts {
  const { brief, desk, clock, emit } = options;
  const log = options.log.child({ orderId: brief.orderId, attemptId: brief.attemptId });
  const line = openDeskLine(desk, brief, clock, log);
  const transcript = createTranscript();
  const calendar = createCallCalendar({ brief, desk, clock, log });
  const facts = createFactBook(brief, calendar);
  const path = join(options.recordingsDir, `${brief.attemptId}.ulaw`);
  const recording = createCallRecording(path, (error) =>
    log.error({ err: error }, 'recording failed'),
  );
  const speaker = openMouth(options, transcript, recording);
  const conversation = createConversation({ ...options, log, facts, speaker, transcript });
  const keepTurns = () => {
    for (const turn of transcript.takeChanged())
      line.mention('keep turn', () => desk.keepTurn(brief, turn));
  };
  return {
    brief,
    brainName: options.brain.name,
    clock,
    line,
    log,
    speaker,
    transcript,
    conversation,
    calendar,
    facts,
    recording,
    startedAt: clock.now(),
    keepTurns,
    emit,
  };
}

/** The notice is rendered while the person says hello, the opt-out goodbye before it is needed. */
function openMouth(
  options: AssembleOptions,
  transcript: Transcript,
  recording: CallRecording,
): Speaker {
  const { brief, emit } = options;
  const speaker: Speaker = new Speaker({
    ...options,
    voice: brief.agent.voice,
    onPlayed: ({ mulaw, fromMs }) => recording.agent(mulaw, fromMs),
    onHeard(utteranceId) {
      const { text, startMs, endMs, complete } = speaker.heard(utteranceId);
      if (text !== '' && startMs !== null && endMs !== null)
        transcript.agent(utteranceId, { text, startMs, endMs, complete });
    },
    onComplete: (utteranceId) => emit({ kind: 'played', utteranceId }),
  });
  speaker.prepare(wordFixedLine('notice', brief));
  speaker.prepare(wordFixedLine('stop_calling_goodbye', brief));
  return speaker;
}
