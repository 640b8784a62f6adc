// A carrier that takes everything and keeps what it was asked; a test may put itself between.
import type {
  CallRequest,
  Carrier,
  PlaceCallResult,
  SendTextResult,
  TextRequest,
  Texts,
} from '../../domain/calls/carrier.ts';

export function createKeptCarrier() {
  const calls: CallRequest[] = [];
  const texts: TextRequest[] = [];
  const endedCalls: string[] = [];
  let answerCall = (request: CallRequest): PlaceCallResult | Promise<PlaceCallResult> => ({
    kind: 'placed',
    carrierCallId: `CA${request.attemptId}`,
  });
  let answerText = (request: TextRequest): SendTextResult => ({
    kind: 'sent',
    carrierTextId: `SM${request.textId}`,
  });
  const carrier: Carrier & Texts = {
    name: 'kept',
    async placeCall(request) {
      calls.push(request);
      return answerCall(request);
    },
    findCall: async () => ({ kind: 'none' }),
    async endCall(carrierCallId) {
      endedCalls.push(carrierCallId);
      return 'ended';
    },
    async sendText(request) {
      texts.push(request);
      return answerText(request);
    },
  };
  return {
    carrier,
    calls,
    texts,
    endedCalls,
    answerCallsWith: (answer: typeof answerCall) => void (answerCall = answer),
    answerTextsWith: (answer: typeof answerText) => void (answerText = answer),
    callsTo: (phone: string) => calls.filter(({ to }) => to === phone),
    textsTo: (phone: string) => texts.filter(({ to }) => to === phone),
  };
}
