// Puts audio frames into the order of their chunk numbers, for carriers that may swap neighbours.
import type { MediaEvent } from './media-codec.ts';

const limits = {
  /** Frames that wait for a missing one; 80 ms of audio. */
  waitingMax: 4,
} as const;

export type AudioFrame = Extract<MediaEvent, { kind: 'audio' }>;
type Deliver = (frame: AudioFrame) => void;

export interface FrameSorter {
  push(frame: AudioFrame): void;
  /** Delivers what still waits; nothing more is to come. */
  flush(): void;
}

/** For carriers that keep the order. */
export function passFrames(deliver: Deliver): FrameSorter {
  return { push: deliver, flush() {} };
}

/**
 * A frame that comes too early waits for the one before it, until four wait: then that one is lost,
 * and the gap is the timeline's business. One that comes too late is passed on, for it to drop.
 */
export function sortFrames(deliver: Deliver): FrameSorter {
  const waiting: AudioFrame[] = [];
  let next = 1;
  const release = (frame: AudioFrame) => {
    next = Math.max(next, frame.chunk + 1);
    deliver(frame);
  };
  const releaseFollowing = () => {
    for (let first = waiting[0]; first && first.chunk <= next; first = waiting[0])
      release(waiting.shift() ?? first);
  };
  return {
    push(frame) {
      if (frame.chunk <= next) release(frame);
      else {
        const at = waiting.findIndex(({ chunk }) => chunk > frame.chunk);
        waiting.splice(at === -1 ? waiting.length : at, 0, frame);
      }
      releaseFollowing();
      if (waiting.length <= limits.waitingMax) return;
      next = waiting[0]?.chunk ?? next;
      releaseFollowing();
    },
    flush() {
      for (const frame of waiting.splice(0)) release(frame);
    },
  };
}
