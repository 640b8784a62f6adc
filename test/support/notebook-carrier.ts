// A carrier that writes down what it is asked and answers what the test says.
import type {
  CallRequest,
  Carrier,
  PlaceCallResult,
  TextRequest,
  Texts,
} from '../../domain/calls/carrier.ts';

export interface NotebookCarrier {
  readonly carrier: Carrier & Texts;
  readonly calls: CallRequest[];
  readonly texts: TextRequest[];
  /** Null places every call. */
  answer: ((request: CallRequest) => PlaceCallResult | Promise<PlaceCallResult>) | null;
}

export function createNotebookCarrier(): NotebookCarrier {
  const notebook: NotebookCarrier = {
    calls: [],
    texts: [],
    answer: null,
    carrier: {
      name: 'notebook',
      async placeCall(request) {
        notebook.calls.push(request);
        return (
          (await notebook.answer?.(request)) ?? {
            kind: 'placed',
            carrierCallId: `CA${request.attemptId}`,
          }
        );
      },
      findCall: async () => ({ kind: 'none' }),
      endCall: async () => 'already_ended',
      async sendText(request) {
        notebook.texts.push(request);
        return { kind: 'sent', carrierTextId: `SM${request.textId}` };
      },
    },
  };
  return notebook;
}
