// /2010-04-01/Accounts/{AccountSid}/Messages
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Network } from '../network.ts';
import { newSid } from '../new-sid.ts';
import { personAt } from '../people/people.ts';
import type { TextMessage } from '../text-message.ts';
import { filterList, pageOf } from './list-page.ts';
import { answerOrFail, formOf, queryOf, refuse } from './rest-request.ts';
import { readTextForm, type TextForm } from './text-form.ts';
import { textJson } from './text-json.ts';
import { errorOfCode, twilioErrors } from './twilio-error.ts';

const limits = { stepMs: 500 } as const;

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
    createdAt,
    sentAt: null,
    updatedAt: createdAt,
    status: 'queued',
  };
  network.texts.add(text);
  return text;
}

async function carryText(network: Network, text: TextMessage): Promise<void> {
  for (const status of ['sent', 'delivered'] as const) {
    await network.clock.sleep(limits.stepMs / network.simulationSpeed, network.closing);
    text.status = status;
    text.updatedAt = network.clock.now();
    text.sentAt ??= text.updatedAt;
    void announceText(network, text);
  }
}

async function announceText(network: Network, text: TextMessage): Promise<void> {
  const fault = network.faults.callbackFault(text.to);
  if (!text.statusCallback || fault.send === 'never') return;
  const fields = {
    MessageSid: text.sid,
    SmsSid: text.sid,
    MessageStatus: text.status,
    SmsStatus: text.status,
    To: text.to,
    From: text.from,
    AccountSid: network.accountSid,
    ApiVersion: '2010-04-01',
  };
  await network.callbacks.deliver({ url: text.statusCallback, method: 'POST', fields }, fault);
}

function describe(text: TextMessage) {
  return { to: text.to, from: text.from, status: text.status, at: text.sentAt ?? text.createdAt };
}
