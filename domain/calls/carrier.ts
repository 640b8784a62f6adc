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

/** What a carrier callback says, in our words. */
export type CarrierEvent = CallEvent | TextStateEvent | TextReceivedEvent;

/** `eventId` is identical over repeats. */
export type CallEvent =
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

/** How a text that we sent arrived. */
export interface TextStateEvent {
  readonly kind: 'text_state';
  readonly carrierTextId: string;
  readonly state: 'queued' | 'sent' | 'delivered' | 'undelivered' | 'failed';
  /** The carrier's code for why it did not arrive. */
  readonly errorCode: string | null;
  /** That code says that the person opted out. */
  readonly optedOut: boolean;
}

/** Somebody texted one of our numbers. */
export interface TextReceivedEvent {
  readonly kind: 'text_received';
  /** Identical over repeats. */
  readonly carrierTextId: string;
  /** E.164. */
  readonly from: string;
  readonly to: string;
  readonly body: string;
  /** The carrier took it for one of its own words and answered it; null when it is ours to answer. */
  readonly handledAs: 'stop' | 'start' | 'help' | null;
}

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

export type CallbackReading<Event extends CarrierEvent = CallEvent> =
  { readonly kind: 'event'; readonly event: Event } | UnreadCallback;

/** Nothing to apply: signed and of no interest to us, or not to be trusted, or not understood. */
export interface UnreadCallback {
  readonly kind: 'ignored' | 'forged' | 'unreadable';
}

/** Somebody calls one of our numbers. */
export interface InboundCall {
  readonly carrierCallId: string;
  /** E.164. */
  readonly calledNumber: string;
  /** E.164; null when the caller withheld it or the network has none. */
  readonly callerNumber: string | null;
}

export type InboundReading =
  | { readonly kind: 'call'; readonly call: InboundCall }
  /** An answer that takes the carrier several commands: the next one. Safe to repeat. */
  | { readonly kind: 'goes_on'; readonly act: () => Promise<void> }
  /** Of a call that was offered before, where the carrier has one address for all that happens to it. */
  | { readonly kind: 'event'; readonly event: CallEvent }
  | UnreadCallback;

/** What becomes of a call to one of our numbers. */
export type InboundAnswer =
  /** Answered, and streamed to this socket both ways until that closes. */
  | { readonly kind: 'connect'; readonly mediaUrl: string }
  /** Answered, told this, and hung up. */
  | { readonly kind: 'say'; readonly text: string }
  /** Never answered. */
  | { readonly kind: 'busy' | 'not_in_service' };

/** What the carrier's request is answered with. */
export interface CallbackReply {
  readonly contentType: string;
  readonly body: string;
}

export interface CarrierCallbacks {
  readCall(request: SignedRequest): CallbackReading;
  readMachineDetection(request: SignedRequest): CallbackReading;
  readTextState(request: SignedRequest): CallbackReading<TextStateEvent>;
  readTextReceived(request: SignedRequest): CallbackReading<TextReceivedEvent>;
  readInboundCall(request: SignedRequest): InboundReading;
  /** Tells the carrier, by the reply to its request or by a request of our own. Safe to repeat. */
  answerInboundCall(call: InboundCall, answer: InboundAnswer): Promise<CallbackReply>;
  /** Whether it is the carrier that asks for this media upgrade. */
  verifyUpgrade(request: { url: string; headers: RequestHeaders }): boolean;
}
