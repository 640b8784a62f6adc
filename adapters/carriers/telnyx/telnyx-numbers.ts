// The numbers port over Telnyx's REST interface. An order is fulfilled some time after it was taken.
import type {
  BuyNumberResult,
  NumberLookup,
  Numbers,
  OwnedNumber,
  OwnedNumbers,
} from '../../../domain/calls/numbers.ts';
import { askTelnyx, type AskTelnyx, type TelnyxOptions } from './ask-telnyx.ts';
import { readTelnyxFailure } from './telnyx-failure.ts';

const limits = { listedNumbers: 250 } as const;

const codes = { tooManyRequests: new Set(['10011', 'HTTP 429']) } as const;

export function createTelnyxNumbers(options: TelnyxOptions): Numbers {
  const ask = askTelnyx(options);
  return {
    searchNumbers: (query) => searchNumbers(ask, query),
    buyNumber: (order) => buyNumber(ask, options, order),
    findNumber: (order) => findNumber(ask, order),
    listNumbers: () => listNumbers(ask),
    releaseNumber: (carrierNumberId) => releaseNumber(ask, carrierNumberId),
  };
}

async function searchNumbers(ask: AskTelnyx, query: { areaCode: string; limit: number }) {
  const filter = {
    country_code: 'US',
    national_destination_code: query.areaCode,
    phone_number_type: 'local' as const,
    features: ['voice' as const, 'sms' as const],
    best_effort: false,
    limit: query.limit,
  };
  try {
    const { data = [] } = await ask((client) => client.availablePhoneNumbers.list({ filter }));
    const numbers = data.flatMap(({ phone_number: phone, region_information: regions = [] }) => {
      const named = (type: string) =>
        regions.find(({ region_type }) => region_type === type)?.region_name ?? null;
      return phone ? [{ phone, locality: named('rate_center'), region: named('state') }] : [];
    });
    return { kind: 'found', numbers } as const;
  } catch (error) {
    return unreachable(error);
  }
}

interface NumberOrder {
  readonly phone: string;
  readonly reference: string;
}

async function buyNumber(
  ask: AskTelnyx,
  { connectionId, messagingProfileId }: TelnyxOptions,
  { phone, reference }: NumberOrder,
): Promise<BuyNumberResult> {
  try {
    const order = await ask((client) =>
      client.numberOrders.create({
        phone_numbers: [{ phone_number: phone }],
        customer_reference: reference,
        connection_id: connectionId,
        ...(messagingProfileId !== null && { messaging_profile_id: messagingProfileId }),
      }),
    );
    if (order.data?.status === 'failure')
      return { kind: 'refused', why: 'not_available', code: 'failure' };
  } catch (error) {
    const failure = readTelnyxFailure(error);
    if (failure.kind === 'unknown') return failure;
    return { kind: 'refused', why: whyNotBought(failure), code: failure.code };
  }
  // The order has an id of its own; the number gets its id when it is ours.
  const found = await findNumber(ask, { phone, reference });
  return found.kind === 'owned'
    ? { kind: 'bought', carrierNumberId: found.carrierNumberId }
    : { kind: 'unknown', detail: 'order is pending' };
}

/** Telnyx has no one code for a number that is gone: it finds fault with the field. */
function whyNotBought(failure: {
  code: string;
  httpStatus: number | null;
  pointer: string | null;
}) {
  const { code, httpStatus, pointer } = failure;
  if (httpStatus === 429 || codes.tooManyRequests.has(code)) return 'too_many_requests';
  return pointer?.startsWith('/phone_numbers') ? 'not_available' : 'carrier_fault';
}

async function findNumber(ask: AskTelnyx, order: NumberOrder): Promise<NumberLookup> {
  try {
    return await ask(async (client) => {
      // The filter takes digits only, and part of a number.
      const filter = { phone_number: order.phone.replace('+', '') };
      const { data } = await client.phoneNumbers.list({ filter });
      const ours = data.find(
        ({ phone_number: phone, customer_reference: reference }) =>
          phone === order.phone && reference === order.reference,
      );
      if (ours?.id && ours.status === 'active')
        return { kind: 'owned', carrierNumberId: ours.id } as const;
      if (ours) return { kind: 'pending' } as const;
      const orders = await client.numberOrders.list({
        filter: { customer_reference: order.reference },
      });
      const isOpen = orders.data.some(({ status }) => status !== 'failure');
      return { kind: isOpen ? 'pending' : 'none' } as const;
    });
  } catch (error) {
    return unreachable(error);
  }
}

async function listNumbers(ask: AskTelnyx): Promise<OwnedNumbers> {
  try {
    return await ask(async (client) => {
      const numbers: OwnedNumber[] = [];
      const query = { filter: { status: 'active' as const }, 'page[size]': limits.listedNumbers };
      for await (const { id, phone_number: phone, customer_reference } of client.phoneNumbers.list(
        query,
      ))
        if (id && phone)
          numbers.push({ carrierNumberId: id, phone, reference: customer_reference ?? null });
      return { kind: 'found', numbers } as const;
    });
  } catch (error) {
    return unreachable(error);
  }
}

async function releaseNumber(ask: AskTelnyx, carrierNumberId: string) {
  try {
    await ask((client) => client.phoneNumbers.delete(carrierNumberId));
    return 'released';
  } catch (error) {
    const failure = readTelnyxFailure(error);
    const isGone = failure.kind === 'refused' && failure.httpStatus === 404;
    return isGone ? 'already_released' : 'unreachable';
  }
}

function unreachable(error: unknown) {
  const failure = readTelnyxFailure(error);
  const detail = failure.kind === 'unknown' ? failure.detail : failure.code;
  return { kind: 'unreachable', detail } as const;
}
