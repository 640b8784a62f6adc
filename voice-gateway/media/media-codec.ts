// What every carrier's media socket says and hears, in our words; one codec per wire format.

export type MediaEvent =
  | { readonly kind: 'connected' }
  | {
      readonly kind: 'start';
      readonly streamId: string;
      readonly carrierCallId: string;
      readonly params: Readonly<Record<string, string>>;
      /** As a MIME type, whatever the carrier calls it. */
      readonly encoding: string;
      readonly sampleRate: number;
    }
  | {
      readonly kind: 'audio';
      readonly mulaw: Uint8Array;
      /** Presentation time on the carrier's media clock, which begins with the stream. */
      readonly atMs: number;
      readonly chunk: number;
    }
  | { readonly kind: 'dtmf'; readonly digit: string }
  | { readonly kind: 'mark'; readonly name: string }
  | { readonly kind: 'stop' };

export type ParsedFrame =
  | MediaEvent
  | { readonly kind: 'ignored'; readonly event: string }
  /** The carrier tells that it cannot do what we sent. */
  | { readonly kind: 'complaint'; readonly code: string }
  | { readonly kind: 'malformed'; readonly why: string };

/** Builds the text frames of one stream. */
export interface FrameWriter {
  media(mulaw: Uint8Array): string;
  mark(name: string): string;
  clear(): string;
}

export interface MediaCodec {
  /** Whether audio comes in the order of its chunk numbers. */
  readonly inOrder: boolean;
  parseFrame(text: string): ParsedFrame;
  createFrameWriter(streamId: string): FrameWriter;
}
