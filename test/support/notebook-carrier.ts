// A carrier that takes every call and text and writes them down; nobody is rung.
import type { CallRequest, Carrier, TextRequest, Texts } from '../../domain/calls/carrier.ts';

export function notebookCarrier() {
  const calls: CallRequest[] = [];
  const texts: TextRequest[] = [];
  const carrier: Carrier & Texts = {
    name: 'notebook',
    async placeCall(request) {
      calls.push(request);
      return { kind: 'placed', carrierCallId: `CA${request.attemptId}` };
    },
    findCall: async () => ({ kind: 'none' }),
    endCall: async () => 'already_ended',
    async sendText(request) {
      texts.push(request);
      return { kind: 'sent', carrierTextId: `SM${request.textId}` };
    },
  };
  return { calls, texts, carrier };
}
