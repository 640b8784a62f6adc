// /v2/available_phone_numbers, /v2/number_orders and /v2/phone_numbers
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { answerOrFail } from '../answer-or-fail.ts';
import type { SoldNumber } from '../number-shop.ts';
import { e164 } from './dial-request.ts';
import { pageOf } from './list-page.ts';
import { newUuid } from './new-uuid.ts';
import { invalidField, refuse, telnyxAnswers, telnyxErrors } from './telnyx-error.ts';
import type { TelnyxNetwork } from './telnyx-network.ts';

const OrderRequest = z.object({
  phone_numbers: z.array(z.object({ phone_number: e164 })).length(1),
  customer_reference: z.string().optional(),
  connection_id: z.string().optional(),
});

export function serveNumbers(app: FastifyInstance, network: TelnyxNetwork): void {
  const { numbers } = network;
  app.get('/available_phone_numbers', (request) => {
    const query = filtersOf(request);
    const limit = Number(query('limit')) || 100;
    const found = numbers.forSale(query('national_destination_code') ?? '', limit);
    return { data: found.map(forSaleJson), meta: { total_results: found.length } };
  });
  app.post('/number_orders', (request, reply) => postOrder(network, request, reply));
  app.get('/number_orders', (request) => {
    const wanted = filtersOf(request)('customer_reference');
    const orders = numbers.sold().filter(({ reference }) => (wanted ?? reference) === reference);
    return pageOf(orders.map(orderJson), request.url);
  });
  app.get('/phone_numbers', (request) => {
    const digits = filtersOf(request)('phone_number') ?? '';
    const owned = numbers.sold().filter(({ phone }) => phone.includes(digits));
    return pageOf(owned.map(numberJson), request.url);
  });
  app.delete<{ Params: { id: string } }>('/phone_numbers/:id', (request, reply) => {
    const number = numbers.sold().find(({ sid }) => sid === request.params.id);
    if (!number || !numbers.takeBack(number.sid)) return refuse(reply, telnyxErrors.notFound);
    return reply.send({ data: { ...numberJson(number), status: 'deleted' } });
  });
}

function filtersOf(request: FastifyRequest) {
  const query = new URL(request.url, 'http://sandbox').searchParams;
  return (name: string) => query.get(`filter[${name}]`);
}

function postOrder(network: TelnyxNetwork, request: FastifyRequest, reply: FastifyReply) {
  const parsed = OrderRequest.safeParse(request.body);
  if (!parsed.success) return refuse(reply, invalidField(parsed.error.issues[0]?.path ?? []));
  const phone = parsed.data.phone_numbers[0]?.phone_number ?? '';
  const [areaCode = ''] = /(?<=^\+1)\d{3}/.exec(phone) ?? [];
  if (!network.numbers.forSale(areaCode, 1_000).includes(phone))
    return refuse(reply, telnyxErrors.notForSale);
  return answerOrFail(network, phone, reply, telnyxAnswers, async () => {
    const reference = parsed.data.customer_reference ?? '';
    const sid = newUuid();
    const sold = network.numbers.sell({ sid, phone, reference, soldAt: network.clock.now() });
    if (!sold) throw new Error('it was for sale a moment ago');
    return { data: { ...orderJson(sold), status: 'pending' } };
  });
}

function forSaleJson(phone: string) {
  return {
    record_type: 'available_phone_number',
    phone_number: phone,
    best_effort: false,
    quickship: true,
    reservable: true,
    features: [{ name: 'voice' }, { name: 'sms' }],
    cost_information: { currency: 'USD', monthly_cost: '1.00', upfront_cost: '1.00' },
    region_information: [{ region_type: 'rate_center', region_name: 'SANDBOX' }],
  };
}

/** The number in an order has another id than the number that is owned. */
function orderJson({ sid, phone, reference, soldAt }: SoldNumber) {
  return {
    record_type: 'number_order',
    id: `order-${sid}`,
    status: 'success',
    customer_reference: reference,
    phone_numbers_count: 1,
    requirements_met: true,
    created_at: soldAt.toISOString(),
    phone_numbers: [
      {
        record_type: 'number_order_phone_number',
        id: `ordered-${sid}`,
        phone_number: phone,
        status: 'success',
      },
    ],
  };
}

function numberJson({ sid, phone, reference, soldAt }: SoldNumber) {
  return {
    record_type: 'phone_number',
    id: sid,
    phone_number: phone,
    status: 'active',
    customer_reference: reference,
    phone_number_type: 'local',
    purchased_at: soldAt.toISOString(),
    created_at: soldAt.toISOString(),
    tags: [],
  };
}
