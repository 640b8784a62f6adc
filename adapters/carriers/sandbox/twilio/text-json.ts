// A text as Twilio's REST API shows it. Pure.
import type { TextMessage } from '../text-message.ts';
import { directionOf } from './direction-of.ts';
import { rfc2822 } from './rfc-2822.ts';

export function textJson(accountSid: string, text: TextMessage) {
  return {
    sid: text.sid,
    account_sid: accountSid,
    messaging_service_sid: text.senderPool,
    to: text.to,
    from: text.from,
    body: text.body,
    status: text.status,
    direction: directionOf(text),
    num_segments: segmentsOf(text.body).toString(),
    num_media: '0',
    error_code: text.errorCode,
    error_message: null,
    price: null,
    price_unit: 'USD',
    api_version: '2010-04-01',
    date_created: rfc2822(text.createdAt),
    date_sent: rfc2822(text.sentAt),
    date_updated: rfc2822(text.updatedAt),
    uri: `/2010-04-01/Accounts/${accountSid}/Messages/${text.sid}.json`,
    subresource_uris: {},
  };
}

/** Plain letters fit 160 into one text, 153 into each of several; others 70 and 67. */
function segmentsOf(body: string): number {
  const isPlain = /^[\n\r\x20-\x7e£¥èéùìòÇØøÅåÆæßÉ¡ÄÖÑÜ§¿äöñüà€]*$/.test(body);
  const [one, several] = isPlain ? [160, 153] : [70, 67];
  return body.length <= one ? 1 : Math.ceil(body.length / several);
}
