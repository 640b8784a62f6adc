import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  addressProblem,
  checkWebhookUrl,
  webhookUrlProblem,
} from '../../domain/webhooks/guard-url.ts';

interface AddressCase {
  readonly id: string;
  readonly url: string;
  readonly whatwgHost: string;
  /** "deny:" and the reason, "allow" for a public address, "resolve" for a name to look up. */
  readonly verdict: string;
}

const file = new URL('data/webhook-address-cases.json', import.meta.url);
// The file is ours and every case is used below.
const cases = JSON.parse(readFileSync(file, 'utf8')) as AddressCase[];

const isIpCase = ({ whatwgHost }: AddressCase) => /^[\d.]+$|^\[/.test(whatwgHost);

describe('every known URL gets its verdict', () => {
  test.each(cases)('$id $url is $verdict', ({ url, whatwgHost, verdict }) => {
    const checked = checkWebhookUrl(url, { allowLocal: false });
    const found = checked.kind === 'denied' ? `deny:${checked.reason}` : checked.url.hostname;
    expect(found).toBe(verdict.startsWith('deny:') ? verdict : whatwgHost);
  });
});

describe('an address that a name resolves to is judged as if it stood in the URL', () => {
  const addresses = cases.filter(isIpCase).filter(({ verdict }) => verdict !== 'deny:credentials');
  test.each(addresses)('$id $whatwgHost is $verdict', ({ whatwgHost, verdict }) => {
    const problem = addressProblem(whatwgHost.replace(/[[\]]/g, ''));
    expect(problem === null ? 'allow' : `deny:${problem}`).toBe(verdict);
  });
});

test.each([
  ['168.63.129.16', 'cloud-host'],
  ['192.88.99.1', 'reserved'],
  ['2001:470::5efe:10.0.0.1', 'isatap'],
  ['2001:470::200:5efe:a00:1', 'isatap'],
  ['4000::1', 'outside-2000::/3'],
  ['not an address', 'unparsable-address'],
])('the address %s is refused as %s', (address, reason) => {
  expect(addressProblem(address)).toBe(reason);
});

test.each([
  [`https://hooks.ok-receiver.net/${'a'.repeat(2_048)}`, 'too-long'],
  [`https://${'a'.repeat(64)}.ok-receiver.net/`, 'host-name'],
  [`https://${'a.'.repeat(130)}net/`, 'host-name'],
  ['https://hooks..ok-receiver.net/h', 'host-name'],
  ['https://xn--a.ok-receiver.net/h', 'unparsable-url'],
  ['https://hooks.ok-receiver.net:0/h', 'port'],
  ['https://1.0.0.127.in-addr.arpa/h', 'special-use-name'],
])('the URL %s is refused as %s', (url, reason) => {
  expect(webhookUrlProblem(url, { allowLocal: false })).toBe(reason);
});

test('a usable URL is handed back parsed, with its host bare', () => {
  const checked = checkWebhookUrl('https://Hooks.ok-receiver.net.:8443/a?b=1', {
    allowLocal: false,
  });
  expect(checked).toMatchObject({ kind: 'ok', host: 'hooks.ok-receiver.net' });
  for (const url of ['https://hooks.ok-receiver.net/', 'https://xn--mnchen-3ya.de/'])
    expect(webhookUrlProblem(url, { allowLocal: false })).toBeNull();
});

test.each([
  'http://localhost:3000/h',
  'http://127.0.0.1:3000/h',
  'https://[::1]:3000/h',
  'http://app.localhost/h',
  'http://hooks.ok-receiver.net/h',
])('local development may send to %s', (url) => {
  expect(webhookUrlProblem(url, { allowLocal: true })).toBeNull();
});

test.each([
  ['http://10.0.0.1/h', 'private'],
  ['http://169.254.169.254/h', 'linkLocal'],
  ['http://intranet/h', 'single-label'],
  ['http://user@localhost/h', 'credentials'],
  ['ftp://localhost/h', 'scheme'],
])('even local development may not send to %s', (url, reason) => {
  expect(webhookUrlProblem(url, { allowLocal: true })).toBe(reason);
});
