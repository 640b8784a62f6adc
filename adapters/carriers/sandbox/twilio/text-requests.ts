// What Twilio posts about texts: how one arrived, and one that came in.
import type { CallbackRequest } from '../callbacks.ts';
import type { TextMessage } from '../text-message.ts';
import { signedRequest } from './announce.ts';
import type { TwilioNetwork } from './twilio-network.ts';

export function textStateRequest(
  network: TwilioNetwork,
  text: TextMessage,
  url: string,
): CallbackRequest {
  const fields = {
    MessageSid: text.sid,
    SmsSid: text.sid,
    MessageStatus: text.status,
    SmsStatus: text.status,
    To: text.to,
    From: text.from,
    AccountSid: network.accountSid,
    ApiVersion: '2010-04-01',
    ...(text.errorCode !== null && { ErrorCode: `${text.errorCode}` }),
  };
  return signedRequest(network, { url, method: 'POST', fields });
}

export function textReceivedRequest(
  network: TwilioNetwork,
  text: TextMessage,
  { url, optOutType }: { url: string; optOutType: string | undefined },
): CallbackRequest {
  const fields = {
    MessageSid: text.sid,
    SmsSid: text.sid,
    SmsMessageSid: text.sid,
    AccountSid: network.accountSid,
    From: text.from,
    To: text.to,
    Body: text.body,
    NumMedia: '0',
    NumSegments: '1',
    SmsStatus: 'received',
    ApiVersion: '2010-04-01',
    ...(optOutType !== undefined && { OptOutType: optOutType }),
  };
  return signedRequest(network, { url, method: 'POST', fields });
}
