// The numbers port over Twilio's REST interface; our reference is the number's friendly name.
import type { BuyNumberResult, NumberLookup, Numbers } from '../../../domain/calls/numbers.ts';
import { createTwilioClient, type TwilioClient } from './twilio-client.ts';
import { isNotFound, readTwilioFailure } from './twilio-failure.ts';

const limits = { requestTimeoutMs: 15_000, listedNumbers: 1_000 } as const;

const codes = {
  notAvailable: new Set(['21422', '21452']),
  tooManyRequests: new Set(['20429', 'HTTP 429']),
} as const;

export function createTwilioNumbers(options: {
  accountSid: string;
  authToken: string;
  baseUrl: string;
}): Numbers {
  let made: TwilioClient | undefined;
  // Processes that never buy never load the package.
  const client = () =>
    (made ??= createTwilioClient({ requestTimeoutMs: limits.requestTimeoutMs, ...options }));
  return {
    searchNumbers: (query) => searchNumbers(client(), query),
    buyNumber: (order) => buyNumber(client(), order),
    findNumber: (order) => findNumber(client(), order),
    async listNumbers() {
      try {
        const owned = await client().incomingPhoneNumbers.list({ limit: limits.listedNumbers });
        return {
          kind: 'found',
          numbers: owned.map(({ sid, phoneNumber, friendlyName }) => ({
            carrierNumberId: sid,
            phone: phoneNumber,
            reference: friendlyName.startsWith('num_') ? friendlyName : null,
          })),
        };
      } catch (error) {
        return unreachable(error);
      }
    },
    releaseNumber: (carrierNumberId) => releaseNumber(client(), carrierNumberId),
  };
}

async function searchNumbers(
  client: TwilioClient,
  { areaCode, limit }: { areaCode: string; limit: number },
) {
  try {
    const found = await client.availablePhoneNumbers('US').local.list({
      areaCode: Number(areaCode),
      voiceEnabled: true,
      smsEnabled: true,
      limit,
    });
    const numbers = found.map(({ phoneNumber, locality, region }) => ({
      phone: phoneNumber,
      locality: locality || null,
      region: region || null,
    }));
    return { kind: 'found', numbers } as const;
  } catch (error) {
    return unreachable(error);
  }
}

async function buyNumber(
  client: TwilioClient,
  { phone, reference }: { phone: string; reference: string },
): Promise<BuyNumberResult> {
  try {
    const bought = await client.incomingPhoneNumbers.create({
      phoneNumber: phone,
      friendlyName: reference,
    });
    return bought.sid
      ? { kind: 'bought', carrierNumberId: bought.sid }
      : { kind: 'unknown', detail: 'answer without a sid' };
  } catch (error) {
    const failure = readTwilioFailure(error);
    if (failure.kind === 'unknown') return failure;
    const { code, httpStatus } = failure;
    if (codes.notAvailable.has(code)) return { kind: 'refused', why: 'not_available', code };
    const slowDown = httpStatus === 429 || codes.tooManyRequests.has(code);
    return { kind: 'refused', why: slowDown ? 'too_many_requests' : 'carrier_fault', code };
  }
}

async function findNumber(
  client: TwilioClient,
  { phone, reference }: { phone: string; reference: string },
): Promise<NumberLookup> {
  try {
    const owned = await client.incomingPhoneNumbers.list({ phoneNumber: phone, limit: 20 });
    const ours = owned.find(({ friendlyName }) => friendlyName === reference);
    return ours ? { kind: 'owned', carrierNumberId: ours.sid } : { kind: 'none' };
  } catch (error) {
    return unreachable(error);
  }
}

async function releaseNumber(client: TwilioClient, carrierNumberId: string) {
  try {
    await client.incomingPhoneNumbers(carrierNumberId).remove();
    return 'released';
  } catch (error) {
    return isNotFound(readTwilioFailure(error)) ? 'already_released' : 'unreachable';
  }
}

function unreachable(error: unknown) {
  const failure = readTwilioFailure(error);
  const detail = failure.kind === 'unknown' ? failure.detail : failure.code;
  return { kind: 'unreachable', detail } as const;
}
