// A call as Twilio's REST API shows it. Pure.
import { durationSeconds, type PhoneCall } from '../line/phone-call.ts';
import { directionOf } from './direction-of.ts';
import { rfc2822 } from './rfc-2822.ts';

export function callJson(accountSid: string, call: PhoneCall) {
  const uri = `/2010-04-01/Accounts/${accountSid}/Calls/${call.sid}`;
  return {
    sid: call.sid,
    account_sid: accountSid,
    parent_call_sid: null,
    to: call.order.to,
    to_formatted: call.order.to,
    from: call.order.from,
    from_formatted: call.order.from,
    phone_number_sid: null,
    status: call.status,
    direction: directionOf(call),
    answered_by: call.answeredBy,
    api_version: '2010-04-01',
    forwarded_from: null,
    group_sid: null,
    caller_name: null,
    trunk_sid: '',
    queue_time: '0',
    price: null,
    price_unit: 'USD',
    annotation: null,
    start_time: rfc2822(call.dialedAt),
    end_time: rfc2822(call.endedAt),
    duration: durationSeconds(call)?.toString() ?? (call.endedAt ? '0' : null),
    date_created: rfc2822(call.createdAt),
    date_updated: rfc2822(call.states.at(-1)?.at ?? call.createdAt),
    uri: `${uri}.json`,
    subresource_uris: { notifications: `${uri}/Notifications.json` },
  };
}
