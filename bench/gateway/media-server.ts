// The media layer of the gateway without its conversation: every call talks, listens and records.
import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';
import { createFlite } from '../../adapters/speech/flite.ts';
import type { SpeechChunk } from '../../domain/calls/speech.ts';
import { createFrameWriter, parseFrame } from '../../voice-gateway/media/carrier-stream.ts';
import { openCallRecorder } from '../../voice-gateway/media/call-recorder.ts';
import { createInboundTimeline } from '../../voice-gateway/media/inbound-timeline.ts';
import { createPlayout } from '../../voice-gateway/media/playout.ts';
import { openRecordingGate } from '../../voice-gateway/media/recording-gate.ts';
import { createVoiceActivity } from '../../voice-gateway/media/voice-activity.ts';
import { sendTogether } from '../../voice-gateway/media/send-together.ts';
import { reportToParent } from './report-to-parent.ts';

const monologue =
  'Thank you for taking the call. I would like to ask you three short questions about the house. ' +
  'First, how old is the roof? Second, who pays the electricity bill? Third, when could we visit?';

const folder = await mkdtemp(join(tmpdir(), 'bench-gateway-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const speech = await renderMonologue();
const activity = await createVoiceActivity();
let calls = 0;

const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
server.on('connection', (socket, request) => serveCall(socket, request.socket, (calls += 1)));
await once(server, 'listening');
// A TCP server's address is never a path.
reportToParent((server.address() as AddressInfo).port);

function serveCall(socket: WebSocket, transport: Socket, call: number): void {
  const write = createFrameWriter('MZbench');
  const playout = createPlayout();
  const path = join(folder, String(call));
  const recorder = openCallRecorder({ gate: openedGate(), path, failed: reportFault });
  const line = activity.open({ started() {}, ended() {} });
  const timeline = createInboundTimeline((mulaw, atMs) => {
    line.push(mulaw, atMs);
    recorder.person(mulaw, atMs);
  });
  let utterances = 0;

  const send = () =>
    sendTogether(transport, () => {
      for (let out = playout.next(); out; out = playout.next())
        socket.send(out.kind === 'audio' ? write.media(out.mulaw) : write.mark(out.name));
    });
  const talkOn = () => {
    const id = `u${(utterances += 1)}`;
    playout.begin(id, monologue);
    for (const chunk of speech) playout.append(id, chunk);
    playout.finish(id, timeline.endMs);
  };
  socket.on('message', (data: Buffer) => {
    const frame = parseFrame(data.toString());
    switch (frame.kind) {
      case 'audio':
        return timeline.push(frame);
      case 'start':
        talkOn();
        return send();
      case 'mark':
        for (const { mulaw, fromMs } of playout.acked(frame.name, timeline.endMs))
          recorder.agent(mulaw, fromMs);
        if (playout.remainingMs < 2_000) talkOn();
        return send();
      case 'malformed':
        return reportFault(new Error(frame.why));
      case 'connected':
      case 'dtmf':
      case 'ignored':
      case 'stop':
        return undefined;
    }
  });
  socket.on('error', () => socket.terminate());
  socket.on('close', () => {
    line.close();
    void recorder.close().then(() => rm(path, { force: true }));
  });
}

function openedGate() {
  const notice = { ms: 1, text: '', complete: true, startMs: 0, lastHeardMs: 0 };
  return openRecordingGate(notice, 0);
}

async function renderMonologue(): Promise<SpeechChunk[]> {
  await using flite = createFlite();
  const chunks: SpeechChunk[] = [];
  for await (const chunk of flite.speak(monologue, { voice: 'default' })) chunks.push(chunk);
  return chunks;
}

/** A fault would make the figures meaningless, so it ends the run. */
function reportFault(error: Error): void {
  throw error;
}
