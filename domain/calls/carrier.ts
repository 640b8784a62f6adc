// The carrier port: a phone network that can ring a number and send a text.

export interface CallRequest {
  readonly attemptId: string;
  readonly workspaceId: string;
  readonly to: string;
  readonly from: string;
  readonly ringTimeoutSeconds: number;
  /** The carrier's own hard stop, should we die. */
  readonly timeLimitSeconds: number;
  /** Socket the carrier streams the call to; its path carries the one-use token. */
  readonly mediaUrl: string;
  readonly statusCallbackUrl: string;
  readonly machineDetectionCallbackUrl: string;
}

export type PlaceCallResult =
  | { readonly kind: 'placed'; readonly carrierCallId: string }
  /** A definite no: the phone surely never rang. */
  | {
      readonly kind: 'refused';
      readonly why: 'invalid_number' | 'do_not_contact' | 'carrier_fault' | 'too_many_requests';
      readonly code: string;
    }
  /** Nobody knows whether it rings; it is looked up, never repeated. */
  | { readonly kind: 'unknown'; readonly detail: string };

export type CarrierCallState =
  'queued' | 'ringing' | 'in_progress' | 'completed' | 'busy' | 'no_answer' | 'failed' | 'canceled';

export type CallLookup =
  | {
      readonly kind: 'found';
      /** Null when the carrier lists the call without the id that controls it. */
      readonly carrierCallId: string | null;
      readonly state: CarrierCallState;
      readonly durationSeconds: number | null;
    }
  | { readonly kind: 'none' }
  | { readonly kind: 'unreachable'; readonly detail: string };

export interface Carrier {
  /** Also stands in the addresses of its callbacks and media sockets. */
  readonly name: string;
  placeCall(request: CallRequest): Promise<PlaceCallResult>;
  /** By the carrier's id when it is known, else by our reference, or by numbers and time of our one call to them. */
  findCall(query: {
    attemptId: string;
    carrierCallId: string | null;
    to: string;
    from: string;
    placedAfter: Date;
  }): Promise<CallLookup>;
  endCall(carrierCallId: string): Promise<'ended' | 'already_ended' | 'unreachable'>;
}

export interface TextRequest {
  readonly textId: string;
  readonly to: string;
  readonly from: string;
  readonly body: string;
  readonly statusCallbackUrl: string;
}

export type SendTextResult =
  | { readonly kind: 'sent'; readonly carrierTextId: string }
  | {
      readonly kind: 'refused';
      readonly why: 'do_not_contact' | 'undeliverable' | 'carrier_fault';
      readonly code: string;
    }
  | { readonly kind: 'unknown'; readonly detail: string };

export interface Texts {
  sendText(request: TextRequest): Promise<SendTextResult>;
}

/** What a carrier callback says, in our words; `eventId` is identical over repeats. */
export type CarrierEvent =
  | {
      readonly kind: 'call_state';
      readonly eventId: string;
      readonly carrierCallId: string;
      readonly state: CarrierCallState;
      readonly durationSeconds: number | null;
    }
  | {
      readonly kind: 'machine_detection';
      readonly eventId: string;
      readonly carrierCallId: string;
      readonly answeredBy: 'person' | 'machine' | 'unknown';
    }
  /** The media socket failed or ended; where that does not end the call, somebody must. */
  | { readonly kind: 'media_ended'; readonly eventId: string; readonly carrierCallId: string };

/** A request that claims to come from the carrier. */
export interface SignedRequest {
  /** The public URL, exactly as the carrier was given it. */
  readonly url: string;
  readonly headers: RequestHeaders;
  /** Its fields, when it is a form. */
  readonly params: Readonly<Record<string, string | string[]>>;
  /** As it came. */
  readonly body: string;
}

/** By lowercase name. */
export type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>;

export type CallbackReading =
  | { readonly kind: 'event'; readonly event: CarrierEvent }
  /** Signed, and of no interest to us. */
  | { readonly kind: 'ignored' }
  | { readonly kind: 'forged' | 'unreadable' };

export interface CarrierCallbacks {
  readCall(request: SignedRequest): CallbackReading;
  readMachineDetection(request: SignedRequest): CallbackReading;
  /** Whether it is the carrier that asks for this media upgrade. */
  verifyUpgrade(request: { url: string; headers: RequestHeaders }): boolean;
}
