// Frames that leave at the same moment share one system call, which is most of what a frame costs.
import type { Duplex } from 'node:stream';

/** The transport is the upgraded connection's own socket, on which the frames end up. */
export function sendTogether(transport: Duplex, send: () => void): void {
  transport.cork();
  try {
    send();
  } finally {
    transport.uncork();
  }
}
