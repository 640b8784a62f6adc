// Starts the voice gateway on a port, and ends it without cutting a call short.
import type { Brain } from '../domain/calls/brain.ts';
import type { CallDesk } from '../domain/calls/call-desk.ts';
import type { SpeechToText, TextToSpeech } from '../domain/calls/speech.ts';
import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/log.ts';
import { createGateway, type Gateway, type UpgradeRequest } from './gateway.ts';
import type { CallEffect } from './machine/call-effect.ts';
import type { CallEvent } from './machine/call-event.ts';
import { createVoiceActivity } from './media/voice-activity.ts';

const defaults = {
  maxCalls: 500,
  /** How long running calls may take to end once a shutdown was asked for. */
  drainMs: 600_000,
  /** How long aborted calls may take to report. */
  abortMs: 10_000,
} as const;

export interface StartGatewayOptions {
  readonly port: number;
  readonly host: string;
  readonly desk: CallDesk;
  readonly clock: Clock;
  readonly log: Logger;
  readonly speech: { readonly tts: TextToSpeech; readonly stt: SpeechToText };
  readonly brain: Brain;
  readonly recordingsDir: string;
  /** Whether the carrier signed this upgrade. */
  readonly verifyUpgrade: (request: UpgradeRequest) => boolean;
  readonly limits?: { readonly maxCalls?: number; readonly drainMs?: number };
  /** Sees every event of every call and its effects. */
  readonly observe?: (event: CallEvent, effects: readonly CallEffect[]) => void;
}

export interface RunningGateway {
  readonly port: number;
  activeCalls(): number;
  /** Refuses new streams, lets running calls end, then closes. Safe to repeat. */
  close(): Promise<void>;
}

export async function startGateway(options: StartGatewayOptions): Promise<RunningGateway> {
  const voiceActivity = await createVoiceActivity();
  const maxCalls = options.limits?.maxCalls ?? defaults.maxCalls;
  const gateway = await createGateway({ ...options, ...options.speech, voiceActivity, maxCalls });
  const url = await gateway.app.listen({ port: options.port, host: options.host });
  const port = Number(new URL(url).port);
  options.log.info({ port }, 'voice gateway listens');
  const shutDown = async () => {
    gateway.drain();
    await endCalls(gateway, options);
    await gateway.app.close();
    await voiceActivity[Symbol.asyncDispose]();
  };
  let closing: Promise<void> | null = null;
  return {
    port,
    activeCalls: () => gateway.sessions.size,
    close: () => (closing ??= shutDown()),
  };
}

async function endCalls(gateway: Gateway, options: StartGatewayOptions): Promise<void> {
  const { clock, log } = options;
  const drained = await within(clock, options.limits?.drainMs ?? defaults.drainMs, gateway);
  if (drained) return;
  log.warn({ activeCalls: gateway.sessions.size }, 'calls outlast the shutdown and are ended');
  for (const session of gateway.sessions) session.abort();
  await within(clock, defaults.abortMs, gateway);
}

/** True when all calls ended in time. */
async function within(clock: Clock, ceilingMs: number, gateway: Gateway): Promise<boolean> {
  const ceiling = new AbortController();
  const ended = Promise.all([...gateway.sessions].map((session) => session.ended));
  await Promise.race([ended, clock.sleep(ceilingMs, ceiling.signal)]);
  ceiling.abort();
  return gateway.sessions.size === 0;
}
