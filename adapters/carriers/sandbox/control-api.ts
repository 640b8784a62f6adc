// What tests and developers see and steer that a real network hides: /sandbox/*.
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { FaultOrder } from './fault-plan.ts';
import type { PhoneCall } from './line/phone-call.ts';
import type { Network } from './network.ts';
import type { NumberOwner } from './number-owner.ts';
import { people } from './people/people.ts';
import { TextBack, textBack } from './texts/text-back.ts';
import type { TextMessage } from './text-message.ts';

const limits = { callsAtOnce: 500 } as const;

const CallIn = z.strictObject({
  /** Number of the customer. */
  to: z.string().regex(/^\+[1-9]\d{7,14}$/),
  /** Withholds the caller's number. */
  anonymous: z.boolean().default(false),
});
const Press = z.strictObject({ digits: z.string().regex(/^[\dA-D*#]{1,32}$/) });

export function serveControlApi(app: FastifyInstance, network: Network, owner: NumberOwner): void {
  app.get('/sandbox/people', () => ({
    people: people.map(({ key, phone }) => ({ key, phone })),
  }));
  app.post<{ Params: { key: string } }>('/sandbox/people/:key/calls', (request, reply) => {
    const form = CallIn.safeParse(request.body);
    if (!form.success) return reply.code(400).send({ message: z.prettifyError(form.error) });
    const caller = people.find(({ key }) => key === request.params.key);
    if (!caller || !owner.takeCall) return reply.code(404).send();
    if (network.liveCalls.size >= limits.callsAtOnce) return reply.code(429).send();
    const { call } = owner.takeCall({ caller, ...form.data });
    return reply.code(201).send({ sid: call.sid });
  });
  app.get('/sandbox/calls', () => {
    const calls = network.calls.newestFirst();
    return { calls: calls.map(describeCall), rings: countRings(calls) };
  });
  app.get('/sandbox/texts', () => ({
    texts: network.texts.newestFirst().map(describeText),
  }));
  app.post('/sandbox/texts', async (request, reply) => {
    const text = TextBack.safeParse(request.body);
    if (!text.success) return reply.code(400).send({ message: z.prettifyError(text.error) });
    return reply.code(201).send(await textBack(network, owner, text.data));
  });
  app.post('/sandbox/faults', (request, reply) => {
    const order = FaultOrder.safeParse(request.body);
    if (!order.success) return reply.code(400).send({ message: z.prettifyError(order.error) });
    network.faults.order(order.data);
    return reply.code(204).send();
  });
  app.get<{ Params: { to: string } }>('/sandbox/faults/:to', (request) => ({
    happened: network.faults.happened(request.params.to),
  }));
  app.post<{ Params: { sid: string } }>('/sandbox/calls/:sid/dtmf', (request, reply) => {
    const press = Press.safeParse(request.body);
    if (!press.success) return reply.code(400).send({ message: z.prettifyError(press.error) });
    const live = network.liveCalls.get(request.params.sid);
    const taken = press.data.digits.split('').every((digit) => live?.press(digit) ?? false);
    return reply.code(taken ? 204 : 404).send();
  });
}

function describeCall(call: PhoneCall) {
  return {
    sid: call.sid,
    direction: call.direction,
    to: call.order.to,
    from: call.order.from,
    person: call.person.key,
    status: call.status,
    answeredBy: call.answeredBy,
    states: call.states,
    conversation: call.conversation,
    heard: call.conversation
      .filter(({ who }) => who === 'agent')
      .map(({ text }) => text)
      .join(' '),
    warnings: call.warnings,
  };
}

function describeText({ sid, to, from, body, status }: TextMessage) {
  return { sid, to, from, body, status };
}

/** How often each number's phone really rang. */
function countRings(calls: readonly PhoneCall[]): Record<string, number> {
  const rings: Record<string, number> = {};
  for (const { order, states, direction } of calls)
    if (direction !== 'inbound' && states.some(({ status }) => status === 'ringing'))
      rings[order.to] = (rings[order.to] ?? 0) + 1;
  return rings;
}
