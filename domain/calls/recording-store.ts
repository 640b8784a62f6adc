// The port to wherever finished recordings are kept.
import type { Readable } from 'node:stream';

/** Octets to read, both ends included; without `to` the rest of the recording. */
export interface ByteRange {
  readonly from: number;
  readonly to?: number;
}

export type OpenedRecording =
  | {
      readonly kind: 'found';
      /** Only the asked range; must be read to its end or destroyed. */
      readonly stream: Readable;
      /** Of the whole recording, whatever the range. */
      readonly sizeBytes: number;
      /** Quoted, ready for an ETag header; changes when the recording does. */
      readonly etag: string;
    }
  | { readonly kind: 'missing' }
  | { readonly kind: 'out_of_range'; readonly sizeBytes: number }
  /** It may well exist, but cannot be read right now. */
  | { readonly kind: 'unavailable' };

export interface RecordingStore {
  /** Takes the content from a file, which stays, or from memory. Replaces; durable on return. */
  put(key: string, source: string | Uint8Array): Promise<void>;
  open(key: string, range?: ByteRange): Promise<OpenedRecording>;
  /** Safe to repeat. */
  remove(key: string): Promise<void>;
}
