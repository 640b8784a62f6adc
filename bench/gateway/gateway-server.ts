// The gateway as it runs in production, with its own voice, ears and script, and a desk that agrees.
import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createScriptBrain } from '../../adapters/brains/script-brain.ts';
import { createFlite } from '../../adapters/speech/flite.ts';
import { createSubtitlesRecogniser } from '../../adapters/speech/subtitles.ts';
import type { AgentConfig } from '../../domain/agents/agent-config.ts';
import type { CallDesk } from '../../domain/calls/call-desk.ts';
import { systemClock } from '../../platform/clock.ts';
import { createLogger } from '../../platform/log.ts';
import { startGateway } from '../../voice-gateway/start-gateway.ts';
import { reportToParent } from './report-to-parent.ts';

const folder = await mkdtemp(join(tmpdir(), 'bench-gateway-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const gateway = await startGateway({
  port: 0,
  host: '127.0.0.1',
  desk: createAgreeableDesk(),
  clock: systemClock(),
  log: createLogger({ level: 'error', process: 'bench' }),
  speech: { tts: createFlite(), stt: createSubtitlesRecogniser() },
  brain: createScriptBrain(),
  recordingsDir: folder,
  verifyUpgrade: () => true,
  limits: { maxCalls: 10_000 },
});
reportToParent(gateway.port);

function createAgreeableDesk(): CallDesk {
  let attempts = 0;
  return {
    checkToken: () => 'good',
    async admit(_token, carrierCallId) {
      const attemptId = `att_${(attempts += 1)}`;
      const call = { workspaceId: 'wsp_1', orderId: `ord_${attempts}`, attemptId, carrierCallId };
      const lead = { firstName: 'Sam', customContext: null };
      const brief = { ...call, direction: 'outbound', agent, lead, answeredBy: 'person' } as const;
      return { kind: 'admitted', brief };
    },
    personAnswered: async () => {},
    keepTurn: async () => {},
    keepAlive: async () => {},
    extendHold: async () => 'extended',
    optOut: async () => {},
    freeSlots: async () => [],
    book: async () => ({ kind: 'taken' }),
    onAnsweredBy: () => () => {},
    hangUp: async () => {},
    keepRecording: async (_call, rawPath) => rm(rawPath, { force: true }),
    finish: async () => {},
  };
}

const agent: AgentConfig = {
  businessName: 'Summit Roofing',
  purpose: 'about the roof quote you asked for',
  language: 'en-US',
  timezone: 'America/New_York',
  voice: 'default',
  questions: [
    question('roof_age', 'How old is your roof, in years?', 'number'),
    question('pays_bill', 'Do you pay the electricity bill yourself?', 'yes_no'),
    question('visit', 'When would a visit suit you?', 'text'),
  ],
  qualifyThreshold: 50,
  offersAppointment: false,
  appointmentMinutes: 30,
  voicemailText: 'We tried to reach you.',
  cadence: { maxAttempts: 1, retryIntervalMinutes: 60, sendSmsOnVoicemail: false },
  maxCallSeconds: 600,
};

function question(
  key: string,
  text: string,
  type: 'number' | 'yes_no' | 'text',
): AgentConfig['questions'][number] {
  return { key, question: text, type, required: true, weight: 30, knockout: false };
}
