// /2010-04-01/Accounts/{AccountSid}/Messages
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Network } from '../network.ts';
import { newSid } from '../new-sid.ts';
import { personAt } from '../people/people.ts';
import { carryText } from '../texts/carry-text.ts';
import { pairOf } from '../texts/text-back.ts';
import type { TextMessage } from '../text-message.ts';
import { filterList, pageOf } from './list-page.ts';
import { answerOrFail, formOf, queryOf, refuse } from './rest-request.ts';
import { readTextForm, type TextForm } from './text-form.ts';
import { textJson } from './text-json.ts';
import { errorOfCode, twilioErrors } from './twilio-error.ts';

export function serveMessages(app: FastifyInstance, network: Network): void {
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

function postMessage(network: Network, request: FastifyRequest, reply: FastifyReply) {
  const form = readTextForm(formOf(request));
  if (form.kind === 'refused') return refuse(reply, form.error);
  const { refusedText } = personAt(form.value.to);
  if (refusedText !== undefined) return refuse(reply, errorOfCode(refusedText));
  if (network.stoppedPairs.has(pairOf(form.value))) return refuse(reply, twilioErrors.textsStopped);
  return answerOrFail(network, form.value.to, reply, async () => {
    const text = takeText(network, form.value);
    const shown = textJson(network.accountSid, text);
    void carryText(network, text);
    return shown;
  });
}

function takeText(network: Network, form: TextForm): TextMessage {
  const createdAt = network.clock.now();
  const text: TextMessage = {
    ...form,
    sid: newSid('SM'),
    direction: 'outbound-api',
    createdAt,
    sentAt: null,
    updatedAt: createdAt,
    status: 'queued',
    errorCode: null,
  };
  network.texts.add(text);
  return text;
}

function describe(text: TextMessage) {
  return { to: text.to, from: text.from, status: text.status, at: text.sentAt ?? text.createdAt };
}
