// /2010-04-01/Accounts/{AccountSid}/AvailablePhoneNumbers and IncomingPhoneNumbers
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answerOrFail } from '../answer-or-fail.ts';
import type { SoldNumber } from '../number-shop.ts';
import { pageOf } from './list-page.ts';
import { newSid } from './new-sid.ts';
import { rfc2822 } from './rfc-2822.ts';
import { invalidParameter, twilioErrors } from './twilio-error.ts';
import type { TwilioNetwork } from './twilio-network.ts';
import { formOf, queryOf, refuse, twilioAnswers } from './twilio-request.ts';

export function serveNumbers(app: FastifyInstance, network: TwilioNetwork): void {
  const { numbers } = network;
  app.get('/AvailablePhoneNumbers/US/Local.json', (request) => {
    const query = queryOf(request);
    const size = Number(query.get('PageSize')) || 50;
    const found = numbers.forSale(query.get('AreaCode') ?? '', size);
    return { available_phone_numbers: found.map(forSaleJson), uri: request.url };
  });
  app.get('/IncomingPhoneNumbers.json', (request) => {
    const query = queryOf(request);
    const wanted = (name: string, value: string) => (query.get(name) ?? value) === value;
    const owned = numbers
      .sold()
      .filter(
        ({ phone, reference }) => wanted('PhoneNumber', phone) && wanted('FriendlyName', reference),
      );
    const shown = owned.map((number) => numberJson(network, number));
    return pageOf('incoming_phone_numbers', shown, query, request.url);
  });
  app.post('/IncomingPhoneNumbers.json', (request, reply) => postNumber(network, request, reply));
  app.delete<{ Params: { sid: string } }>('/IncomingPhoneNumbers/:sid.json', (request, reply) =>
    numbers.takeBack(request.params.sid)
      ? reply.code(204).send()
      : refuse(reply, twilioErrors.notFound),
  );
}

function postNumber(network: TwilioNetwork, request: FastifyRequest, reply: FastifyReply) {
  const form = formOf(request);
  const phone = form.get('PhoneNumber');
  if (!phone) return refuse(reply, invalidParameter('PhoneNumber'));
  const [areaCode = ''] = /(?<=^\+1)\d{3}/.exec(phone) ?? [];
  if (!network.numbers.forSale(areaCode, 1_000).includes(phone))
    return refuse(reply, twilioErrors.notForSale);
  return answerOrFail(network, phone, reply, twilioAnswers, async () => {
    const reference = form.get('FriendlyName') ?? phone;
    const sid = newSid('PN');
    const sold = network.numbers.sell({ sid, phone, reference, soldAt: network.clock.now() });
    if (!sold) throw new Error('it was for sale a moment ago');
    return numberJson(network, sold);
  });
}

const capabilities = { voice: true, sms: true, mms: false, fax: false };

function forSaleJson(phone: string) {
  return {
    friendly_name: phone,
    phone_number: phone,
    locality: 'Sandbox',
    region: null,
    rate_center: 'SANDBOX',
    lata: null,
    latitude: null,
    longitude: null,
    postal_code: null,
    iso_country: 'US',
    address_requirements: 'none',
    beta: false,
    capabilities: { voice: true, SMS: true, MMS: false },
  };
}

function numberJson({ accountSid }: TwilioNetwork, { sid, phone, reference, soldAt }: SoldNumber) {
  return {
    sid,
    account_sid: accountSid,
    phone_number: phone,
    friendly_name: reference,
    status: 'in-use',
    origin: 'twilio',
    capabilities,
    date_created: rfc2822(soldAt),
    date_updated: rfc2822(soldAt),
    uri: `/2010-04-01/Accounts/${accountSid}/IncomingPhoneNumbers/${sid}.json`,
  };
}
