// /2010-04-01/Accounts/{AccountSid}/Calls
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answerOrFail } from '../answer-or-fail.ts';
import { newPhoneCall, type LiveCall, type PhoneCall } from '../line/phone-call.ts';
import { startCall } from '../line/run-call.ts';
import { personAt } from '../people/people.ts';
import { createAnnouncer } from './announce.ts';
import { readCallForm, type CallForm } from './call-form.ts';
import { callJson } from './call-json.ts';
import { filterList, pageOf } from './list-page.ts';
import { newSid } from './new-sid.ts';
import { playTwiml, readVerbs } from './play-twiml.ts';
import { invalidParameter, refusalErrors, twilioErrors } from './twilio-error.ts';
import type { TwilioNetwork } from './twilio-network.ts';
import { formOf, queryOf, refuse, twilioAnswers } from './twilio-request.ts';

const limits = { callsAtOnce: 500 } as const;

interface OneCall {
  Params: { sid: string };
}

export function serveCalls(app: FastifyInstance, network: TwilioNetwork): void {
  const show = (call: PhoneCall) => callJson(network.accountSid, call);
  app.post('/Calls.json', (request, reply) => postCall(network, request, reply));
  app.get('/Calls.json', (request) => {
    const query = queryOf(request);
    const calls = filterList(network.calls.newestFirst(), query, 'StartTime', describe);
    return pageOf('calls', calls.map(show), query, request.url);
  });
  app.get<OneCall>('/Calls/:sid.json', (request, reply) => {
    const call = network.calls.find(request.params.sid);
    return call ? reply.send(show(call)) : refuse(reply, twilioErrors.notFound);
  });
  app.post<OneCall>('/Calls/:sid.json', async (request, reply) => {
    const call = network.calls.find(request.params.sid);
    const live = network.liveCalls.get(request.params.sid);
    if (!call) return refuse(reply, twilioErrors.notFound);
    const status = formOf(request).get('Status');
    if (status !== 'completed' && status !== 'canceled')
      return refuse(reply, invalidParameter('Status'));
    if (!live || call.endedAt) return refuse(reply, twilioErrors.notFound);
    // Cancelling leaves a call alone that somebody already answered.
    if (status === 'completed' || call.answeredAt === null) live.hangUp();
    return show(call);
  });
}

function postCall(network: TwilioNetwork, request: FastifyRequest, reply: FastifyReply) {
  const form = readCallForm(formOf(request));
  if (form.kind === 'refused') return refuse(reply, form.error);
  const { to } = form.value;
  const { refusedCall } = personAt(to);
  if (refusedCall) return refuse(reply, refusalErrors[refusedCall]);
  if (network.liveCalls.size >= limits.callsAtOnce)
    return refuse(reply, twilioErrors.tooManyRequests);
  return answerOrFail(network, to, reply, twilioAnswers, async () => {
    const { call, announced } = placeCall(network, form.value);
    // Shown as it was placed, however far it came while the answer waited.
    const shown = callJson(network.accountSid, call);
    if (network.faults.callbackFault(to).firstBeforeAnswer) await announced;
    return shown;
  });
}

function placeCall(network: TwilioNetwork, form: CallForm): LiveCall {
  const call = newPhoneCall({
    sid: newSid('CA'),
    direction: 'outbound',
    order: form,
    person: personAt(form.to),
    createdAt: network.clock.now(),
  });
  network.calls.add(call);
  return startCall(network, call, {
    ...createAnnouncer(network, call, form),
    // What to do is asked for once somebody answered.
    converse: async (line, over) =>
      playTwiml({ network, call, line, over }, await readVerbs(network, call, form)),
  });
}

/** A call that was only just ordered has no start yet, but must be found by it. */
function describe(call: PhoneCall) {
  const { to, from } = call.order;
  return { to, from, status: call.status, at: call.dialedAt ?? call.createdAt };
}
