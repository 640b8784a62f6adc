// A voice gateway on a free port, with real speech and a desk in memory.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { createScriptBrain } from '../../../adapters/brains/script-brain.ts';
import { createFlite } from '../../../adapters/speech/flite.ts';
import { createSubtitlesRecogniser } from '../../../adapters/speech/subtitles.ts';
import type { TextToSpeech } from '../../../domain/calls/speech.ts';
import { systemClock } from '../../../platform/clock.ts';
import { createLogger } from '../../../platform/log.ts';
import {
  type RunningGateway,
  startGateway,
  type StartGatewayOptions,
} from '../../../voice-gateway/start-gateway.ts';
import { createMemoryDesk, type MemoryDesk, type MemoryDeskOptions } from './memory-desk.ts';
import { connectCaller, type MediaCaller } from './media-caller.ts';

export interface TestGateway extends AsyncDisposable {
  readonly gateway: RunningGateway;
  readonly desk: MemoryDesk;
  readonly tts: TextToSpeech;
  readonly url: string;
  /** Everything that was logged. */
  readonly logged: () => string;
  call(token?: string): Promise<MediaCaller>;
}

export async function openTestGateway(
  options: {
    token?: string;
    desk?: MemoryDeskOptions;
    gateway?: Partial<StartGatewayOptions>;
  } = {},
): Promise<TestGateway> {
  const token = options.token ?? 'secret-token';
  const desk = createMemoryDesk(token, options.desk);
  const recordingsDir = await mkdtemp(join(tmpdir(), 'recordings-'));
  const flite = createFlite();
  const lines: string[] = [];
  const sink = new Writable({
    write(line: Buffer, _encoding, done) {
      lines.push(line.toString());
      done();
    },
  });
  const gateway = await startGateway({
    port: 0,
    host: '127.0.0.1',
    desk,
    clock: systemClock(),
    log: createLogger({ level: 'debug', process: 'voice-gateway', sink }),
    speech: { tts: flite, stt: createSubtitlesRecogniser() },
    brain: createScriptBrain(),
    recordingsDir,
    verifyUpgrade: () => true,
    ...options.gateway,
  });
  const url = `ws://127.0.0.1:${gateway.port}/media/twilio`;
  return {
    gateway,
    desk,
    tts: flite,
    url,
    logged: () => lines.join(''),
    call: (used = token) => connectCaller(`${url}/${used}`, flite),
    async [Symbol.asyncDispose]() {
      await gateway.close();
      await flite[Symbol.asyncDispose]();
      await rm(recordingsDir, { recursive: true, force: true });
    },
  };
}
