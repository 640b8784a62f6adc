// Whole calls: a sandbox phone network, one gateway, and a desk per person.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import twilio from 'twilio';
import { createScriptBrain } from '../../../adapters/brains/script-brain.ts';
import { people } from '../../../adapters/carriers/sandbox/people/people.ts';
import { startSandbox } from '../../../adapters/carriers/sandbox/start-sandbox.ts';
import { createFlite } from '../../../adapters/speech/flite.ts';
import { createSubtitlesRecogniser } from '../../../adapters/speech/subtitles.ts';
import type { CallReport } from '../../../domain/calls/call-report.ts';
import { systemClock } from '../../../platform/clock.ts';
import { createLogger } from '../../../platform/log.ts';
import { startGateway } from '../../../voice-gateway/start-gateway.ts';
import { joinDesks } from './joined-desk.ts';
import {
  createMemoryDesk,
  type MemoryDesk,
  type MemoryDeskOptions,
  transcriptOf,
} from './memory-desk.ts';

const accountSid = `AC${'0'.repeat(32)}`;
const authToken = 'sandbox-secret';

export interface SandboxCall {
  readonly report: CallReport;
  readonly transcript: readonly string[];
  readonly desk: MemoryDesk;
}

export interface SandboxCalls extends AsyncDisposable {
  /** Rings a person of the sandbox and resolves when the call was reported. */
  ring(key: string, options?: MemoryDeskOptions): Promise<SandboxCall>;
}

export async function openSandboxCalls(): Promise<SandboxCalls> {
  const log = createLogger({ level: 'silent', process: 'test' });
  const sandbox = await startSandbox({ port: 0, accountSid, authToken, simulationSpeed: 10, log });
  const desks = new Map<string, MemoryDesk>();
  const recordingsDir = await mkdtemp(join(tmpdir(), 'recordings-'));
  const tts = createFlite();
  const gateway = await startGateway({
    port: 0,
    host: '127.0.0.1',
    desk: joinDesks(desks),
    clock: systemClock(),
    log,
    speech: { tts, stt: createSubtitlesRecogniser() },
    brain: createScriptBrain(),
    recordingsDir,
    verifyUpgrade: ({ url, headers }) =>
      twilio.validateRequest(
        authToken,
        String(headers['x-twilio-signature']),
        `ws://127.0.0.1:${gateway.port}${url}`,
        {},
      ),
  });
  const askNetwork = async (path: string, fields: Record<string, string>) => {
    const credentials = Buffer.from(`${accountSid}:${authToken}`).toString('base64');
    const url = `${sandbox.url}/2010-04-01/Accounts/${accountSid}/${path}`;
    const body = new URLSearchParams(fields);
    const headers = { authorization: `Basic ${credentials}` };
    const response = await fetch(url, { method: 'POST', headers, body });
    if (!response.ok) throw new Error(`the sandbox answered ${response.status}`);
  };
  return {
    async ring(key, options = {}) {
      const desk = createMemoryDesk(`token-${key}`, {
        ...options,
        onHangUp: (sid) => void askNetwork(`Calls/${sid}.json`, { Status: 'completed' }),
      });
      desks.set(`token-${key}`, desk);
      const url = `ws://127.0.0.1:${gateway.port}/media/twilio/token-${key}`;
      const response = new twilio.twiml.VoiceResponse();
      response.connect().stream({ url });
      const to = people.find((person) => person.key === key)?.phone ?? '';
      await askNetwork('Calls.json', { To: to, From: '+12025550100', Twiml: response.toString() });
      const report = await desk.reported;
      return { report, transcript: transcriptOf(desk), desk };
    },
    async [Symbol.asyncDispose]() {
      await gateway.close();
      await sandbox.close();
      await tts[Symbol.asyncDispose]();
      await rm(recordingsDir, { recursive: true, force: true });
    },
  };
}
