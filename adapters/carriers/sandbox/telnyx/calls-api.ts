// /v2/calls, the calls of a connection, and the events of past calls.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answerOrFail } from '../answer-or-fail.ts';
import { durationSeconds } from '../line/phone-call.ts';
import { personAt } from '../people/people.ts';
import { serveCommands } from './commands-api.ts';
import { dialCall } from './dialed-call.ts';
import { DialRequest } from './dial-request.ts';
import { pageOf } from './list-page.ts';
import {
  invalidField,
  refusalErrors,
  refuse,
  telnyxAnswers,
  telnyxErrors,
} from './telnyx-error.ts';
import type { DialedCall, TelnyxNetwork } from './telnyx-network.ts';

const limits = { callsAtOnce: 500 } as const;

interface OneCall {
  Params: { id: string };
}

export function serveCalls(app: FastifyInstance, network: TelnyxNetwork): void {
  app.post('/calls', (request, reply) => postCall(network, request, reply));
  app.get<OneCall>('/calls/:id', (request, reply) => {
    const dialed = network.dialed.find(request.params.id);
    return dialed ? reply.send({ data: callJson(dialed) }) : refuse(reply, telnyxErrors.notFound);
  });
  app.post<OneCall>('/calls/:id/actions/hangup', (request, reply) => {
    const dialed = network.dialed.find(request.params.id);
    if (!dialed) return refuse(reply, telnyxErrors.notFound);
    const live = network.liveCalls.get(dialed.sid);
    if (!live || dialed.call.endedAt) return refuse(reply, telnyxErrors.callOver);
    live.hangUp();
    return reply.send({ data: { result: 'ok' } });
  });
  serveCommands(app, network);
  app.get<OneCall>('/connections/:id/active_calls', (request) => {
    const active = network.dialed
      .newestFirst()
      .filter(({ call, dial }) => !call.endedAt && dial.connection_id === request.params.id);
    return pageOf(active.map(callJson), request.url);
  });
  app.get('/call_events', (request) => pageOf(listEvents(network, request), request.url));
}

function postCall(network: TelnyxNetwork, request: FastifyRequest, reply: FastifyReply) {
  const parsed = DialRequest.safeParse(request.body);
  if (!parsed.success) return refuse(reply, invalidField(parsed.error.issues[0]?.path ?? []));
  const dial = parsed.data;
  if (dial.connection_id !== network.account.connectionId)
    return refuse(reply, invalidField(['connection_id']));
  const { refusedCall } = personAt(dial.to);
  if (refusedCall) return refuse(reply, refusalErrors[refusedCall]);
  const repeated = dial.command_id && network.commands.find(dial.command_id)?.made;
  if (repeated) return reply.send({ data: callJson(repeated) });
  if (network.liveCalls.size >= limits.callsAtOnce)
    return refuse(reply, telnyxErrors.tooManyRequests);
  return answerOrFail(network, dial.to, reply, telnyxAnswers, async () => {
    const { dialed, live } = dialCall(network, dial);
    // Dialling is never awaited: a call that was just placed is not alive yet.
    const shown = { data: { ...callJson(dialed), is_alive: false } };
    if (network.faults.callbackFault(dial.to).firstBeforeAnswer) await live.announced;
    return shown;
  });
}

function callJson({ sid, legId, sessionId, call, dial }: DialedCall) {
  return {
    record_type: 'call',
    call_control_id: sid,
    call_leg_id: legId,
    call_session_id: sessionId,
    is_alive: call.endedAt === null,
    client_state: dial.client_state ?? null,
    call_duration: durationSeconds(call) ?? 0,
    start_time: (call.dialedAt ?? call.createdAt).toISOString(),
    ...(call.endedAt && { end_time: call.endedAt.toISOString() }),
  };
}

/** Oldest first. The real network's metadata is not documented, so nobody may rely on it. */
function listEvents(network: TelnyxNetwork, request: FastifyRequest) {
  const query = new URL(request.url, 'http://sandbox').searchParams;
  const wanted = (name: string, value: string) => (query.get(`filter[${name}]`) ?? value) === value;
  const since = Date.parse(query.get('filter[occurred_at][gte]') ?? '') || 0;
  return network.dialed
    .newestFirst()
    .toReversed()
    .filter(
      ({ dial, legId }) =>
        wanted('to', dial.to) && wanted('from', dial.from) && wanted('leg_id', legId),
    )
    .flatMap((dialed) => dialed.events.map((event) => ({ dialed, event })))
    .filter(({ event }) => event.at.getTime() >= since)
    .toSorted((a, b) => a.event.at.getTime() - b.event.at.getTime())
    .map(({ dialed, event }) => ({
      record_type: 'call_event',
      call_leg_id: dialed.legId,
      call_session_id: dialed.sessionId,
      event_timestamp: event.at.toISOString(),
      name: event.name,
      type: 'webhook',
      metadata: {},
    }));
}
