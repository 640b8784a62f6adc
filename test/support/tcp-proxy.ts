// A TCP proxy on loopback whose two directions can be held and cut, to lose requests and replies on purpose.
import { connect, createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

export interface TcpProxy {
  readonly port: number;
  /** Bytes from the far side pile up here until released. */
  holdReplies(): void;
  release(): void;
  /** Every connection of now carries nothing more, unannounced and for good; new ones work. */
  freeze(): void;
  /** Ends every connection at once, as a crash of the far side would. */
  cut(): void;
  close(): Promise<void>;
}

export async function openTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const pairs = new Set<{ near: Socket; far: Socket }>();
  let holding = false;
  const server = createServer((near) => {
    const far = connect(target);
    const pair = { near, far };
    pairs.add(pair);
    near.pipe(far);
    far.pipe(near);
    if (holding) far.pause();
    for (const socket of [near, far]) {
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        pairs.delete(pair);
        near.destroy();
        far.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const forEachFar = (act: (far: Socket) => void) => {
    for (const { far } of pairs) act(far);
  };
  const cut = () => {
    for (const { near, far } of pairs) {
      near.resetAndDestroy();
      far.destroy();
    }
  };
  return {
    // A listening TCP server has an address with a port.
    port: (server.address() as AddressInfo).port,
    holdReplies() {
      holding = true;
      forEachFar((far) => far.pause().unpipe());
    },
    release() {
      if (!holding) return;
      holding = false;
      for (const { near, far } of pairs) far.pipe(near);
    },
    freeze() {
      for (const { near, far } of pairs) for (const socket of [near, far]) socket.pause().unpipe();
    },
    cut,
    async close() {
      cut();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}
