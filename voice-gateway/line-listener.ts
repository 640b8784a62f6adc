// The agent's ears on one call: the person's audio, in order, to everything that listens.
import type { SpeechToText } from '../domain/calls/speech.ts';
import { createBeepDetector } from './beep-detector.ts';
import type { CallHappening } from './machine/call-event.ts';
import { createInboundTimeline } from './media/inbound-timeline.ts';
import type { VoiceActivity } from './media/voice-activity.ts';

const limits = {
  /** A machine beeps after its greeting; later tones are the person's own. */
  beepWindowMs: 60_000,
} as const;

export interface LineListenerOptions {
  readonly stt: SpeechToText;
  readonly voiceActivity: VoiceActivity;
  /** How much of the agent's speech is still to come, for the judgement of overlaps. */
  readonly agentRemainingMs: () => number;
  readonly onAudio: (mulaw: Uint8Array, atMs: number) => void;
  readonly onFault: (error: Error) => void;
  readonly emit: (happening: CallHappening) => void;
}

export interface LineListener {
  push(frame: { readonly mulaw: Uint8Array; readonly atMs: number; readonly chunk: number }): void;
  /** Last words may still be told from inside. Safe to repeat. */
  close(): void;
}

export function openLineListener(options: LineListenerOptions): LineListener {
  const { emit } = options;
  const recogniser = options.stt.open({
    heard: ({ kind, text, fromMs, toMs }) =>
      emit({ kind: 'words_heard', certainty: kind, text, fromMs, toMs }),
    failed(error) {
      options.onFault(error);
      emit({ kind: 'recogniser_failed' });
    },
  });
  const voice = options.voiceActivity.open({
    started: () => emit({ kind: 'speech_started', agentRemainingMs: options.agentRemainingMs() }),
    ended: (endedAtMs) => emit({ kind: 'speech_ended', endedAtMs }),
  });
  const beeps = createBeepDetector();
  const timeline = createInboundTimeline((mulaw, atMs) => {
    options.onAudio(mulaw, atMs);
    voice.push(mulaw, atMs);
    recogniser.push(mulaw, atMs);
    if (atMs < limits.beepWindowMs && beeps.push(mulaw)) emit({ kind: 'beep_heard' });
  });
  let closed = false;
  return {
    push(frame) {
      if (!closed) timeline.push(frame);
    },
    close() {
      if (closed) return;
      closed = true;
      voice.close();
      recogniser.close();
    },
  };
}
