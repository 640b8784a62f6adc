// /2010-04-01/Accounts/{AccountSid}/Messages
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answerOrFail } from '../answer-or-fail.ts';
import { personAt } from '../people/people.ts';
import { carryText, takeText } from '../texts/carry-text.ts';
import { pairOf } from '../texts/text-back.ts';
import type { TextMessage } from '../text-message.ts';
import { filterList, pageOf } from './list-page.ts';
import { newSid } from './new-sid.ts';
import { readTextForm } from './text-form.ts';
import { textJson } from './text-json.ts';
import { textStateRequest } from './text-requests.ts';
import { refusalErrors, twilioErrors } from './twilio-error.ts';
import type { TwilioNetwork } from './twilio-network.ts';
import { formOf, queryOf, refuse, twilioAnswers } from './twilio-request.ts';

export function serveMessages(app: FastifyInstance, network: TwilioNetwork): void {
  const show = (text: TextMessage) => textJson(network.accountSid, text);
  app.post('/Messages.json', (request, reply) => postMessage(network, request, reply));
  app.get('/Messages.json', (request) => {
    const query = queryOf(request);
    const texts = filterList(network.texts.newestFirst(), query, 'DateSent', describe);
    return pageOf('messages', texts.map(show), query, request.url);
  });
  app.get<{ Params: { sid: string } }>('/Messages/:sid.json', (request, reply) => {
    const text = network.texts.find(request.params.sid);
    return text ? reply.send(show(text)) : refuse(reply, twilioErrors.notFound);
  });
}

function postMessage(network: TwilioNetwork, request: FastifyRequest, reply: FastifyReply) {
  const form = readTextForm(formOf(request));
  if (form.kind === 'refused') return refuse(reply, form.error);
  const { refusedText } = personAt(form.value.to);
  if (refusedText) return refuse(reply, refusalErrors[refusedText]);
  if (network.stoppedPairs.has(pairOf(form.value))) return refuse(reply, twilioErrors.textsStopped);
  return answerOrFail(network, form.value.to, reply, twilioAnswers, async () => {
    const text = takeText(network, newSid('SM'), form.value);
    const shown = textJson(network.accountSid, text);
    const { statusCallback: url } = form.value;
    void carryText(network, text, () => (url ? textStateRequest(network, text, url) : null));
    return shown;
  });
}

function describe(text: TextMessage) {
  return { to: text.to, from: text.from, status: text.status, at: text.sentAt ?? text.createdAt };
}
