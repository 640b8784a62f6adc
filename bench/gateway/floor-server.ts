// The floor: a bare WebSocket server that parses, decodes and echoes each frame, and nothing else.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import { reportToParent } from './report-to-parent.ts';

const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
server.on('connection', (socket) => {
  socket.on('error', () => socket.terminate());
  socket.on('message', (data: Buffer) => {
    // The load generator sends well-formed frames only.
    const frame = JSON.parse(data.toString()) as { event: string; media?: { payload: string } };
    if (frame.event !== 'media' || !frame.media) return;
    const payload = Buffer.from(frame.media.payload, 'base64').toString('base64');
    socket.send(JSON.stringify({ event: 'media', streamSid: 'MZbench', media: { payload } }));
  });
});
await once(server, 'listening');
// A TCP server's address is never a path.
reportToParent((server.address() as AddressInfo).port);
