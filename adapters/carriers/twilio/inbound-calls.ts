// Calls to our own numbers as Twilio tells of them, and what it shall do with them.
import type {
  CallbackReply,
  InboundAnswer,
  InboundCall,
  SignedRequest,
} from '../../../domain/calls/carrier.ts';
import { callTwiml } from './call-twiml.ts';
import { twilioPackage } from './twilio-package.ts';

/** What Twilio writes for a withheld number: ANONYMOUS, RESTRICTED and UNAVAILABLE, typed on a keypad. */
const withheld = new Set(['+266696687', '+7378742833', '+86282452253']);

const phoneNumber = /^\+[1-9]\d{7,14}$/;

/** Null when the fields are not those of a call to a number. */
export function parseInboundCall(params: SignedRequest['params']): InboundCall | null {
  const { CallSid: carrierCallId, To: calledNumber, From: from } = params;
  if (typeof carrierCallId !== 'string' || carrierCallId === '') return null;
  if (typeof calledNumber !== 'string' || !phoneNumber.test(calledNumber)) return null;
  return { carrierCallId, calledNumber, callerNumber: readCaller(from) };
}

/** Names ("anonymous"), SIP addresses and short words on a keypad are no numbers of anybody. */
function readCaller(from: string | string[] | undefined): string | null {
  if (typeof from !== 'string' || withheld.has(from)) return null;
  return phoneNumber.test(from) ? from : null;
}

export function inboundTwiml(answer: InboundAnswer): CallbackReply {
  return { contentType: 'text/xml', body: twimlOf(answer) };
}

function twimlOf(answer: InboundAnswer): string {
  const response = new (twilioPackage().twiml.VoiceResponse)();
  switch (answer.kind) {
    case 'connect':
      return callTwiml(answer.mediaUrl);
    case 'say':
      response.say(answer.text);
      response.hangup();
      return response.toString();
    // As the first verb it leaves the call unanswered, so that it costs nothing.
    case 'busy':
      response.reject({ reason: 'busy' });
      return response.toString();
    case 'not_in_service':
      response.reject({ reason: 'rejected' });
      return response.toString();
  }
}
