// Which URLs and addresses a webhook may go to: https, public, no credentials. Pure.
import { isIP } from 'node:net';
import { domainToUnicode } from 'node:url';
import ipaddr from 'ipaddr.js';

const limits = { urlMaxChars: 2_048, hostMaxChars: 253, labelMaxChars: 63 } as const;

export type CheckedUrl =
  | { readonly kind: 'ok'; readonly url: URL; readonly host: string }
  | { readonly kind: 'denied'; readonly reason: string };

export interface GuardOptions {
  /** Development only: http, and receivers on this machine. */
  readonly allowLocal: boolean;
}

/** Send to the parsed `url`, never to the given text: other parsers may read another host in it. */
export function checkWebhookUrl(text: string, { allowLocal }: GuardOptions): CheckedUrl {
  if (text.length > limits.urlMaxChars) return denied('too-long');
  if (!URL.canParse(text)) return denied('unparsable-url');
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(allowLocal && url.protocol === 'http:'))
    return denied('scheme');
  if (url.username !== '' || url.password !== '') return denied('credentials');
  if (url.port === '0') return denied('port');
  const host = bareHost(url.hostname);
  const reason = isIP(host) ? addressProblem(host) : nameProblem(host);
  if (reason === null || (allowLocal && (reason === 'loopback' || isLocalName(host))))
    return { kind: 'ok', url, host };
  return denied(reason);
}

/** Why the URL cannot be used, or null. */
export function webhookUrlProblem(text: string, options: GuardOptions): string | null {
  const checked = checkWebhookUrl(text, options);
  return checked.kind === 'denied' ? checked.reason : null;
}

/** Why the address is not on the public internet, or null when it is. */
export function addressProblem(ip: string): string | null {
  if (!ipaddr.isValid(ip)) return 'unparsable-address';
  const address = ipaddr.parse(ip);
  const range: string = address.range();
  if (range !== 'unicast') return range === 'ipv4Mapped' ? 'ipv4-mapped' : range;
  const special = specialRanges.find(
    ({ cidr }) => cidr[0].kind() === address.kind() && address.match(cidr),
  );
  if (special) return special.reason;
  if (address.kind() === 'ipv4') return null;
  if (!address.match(globalUnicast)) return 'outside-2000::/3';
  return embedsIntranetAddress(address.toByteArray()) ? 'isatap' : null;
}

/** Names that mean this machine; the system's resolver is never asked about them. */
export function isLocalName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}

const globalUnicast = ipaddr.parseCIDR('2000::/3');

/** Ordinary unicast to the address library, but no place where a stranger's receiver can stand. */
const specialRanges = [
  { cidr: ipaddr.parseCIDR('168.63.129.16/32'), reason: 'cloud-host' },
  { cidr: ipaddr.parseCIDR('192.88.99.0/24'), reason: '6to4' },
];

const specialUseName =
  /(^|\.)(localhost|local|internal|intranet|lan|home|corp|arpa|test|invalid|example|onion|alt)$/;

function nameProblem(host: string): string | null {
  // The URL parser lets ASCII labels pass that claim to be encoded and are not.
  if (
    domainToUnicode(host)
      .split('.')
      .some((label) => label.startsWith('xn--'))
  )
    return 'unparsable-url';
  if (!host.includes('.')) return 'single-label';
  if (specialUseName.test(host)) return 'special-use-name';
  const labels = host.split('.');
  const fits = labels.every(({ length }) => length > 0 && length <= limits.labelMaxChars);
  return fits && host.length <= limits.hostMaxChars ? null : 'host-name';
}

function bareHost(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname.replace(/\.$/, '');
}

/** ISATAP tunnels carry an IPv4 address behind 0000:5efe or 0200:5efe. */
function embedsIntranetAddress(bytes: readonly number[]): boolean {
  const [first, second, third, fourth] = bytes.slice(8, 12);
  return (first === 0 || first === 2) && second === 0 && third === 0x5e && fourth === 0xfe;
}

function denied(reason: string): CheckedUrl {
  return { kind: 'denied', reason };
}
