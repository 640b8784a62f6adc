// Google's token endpoint and Calendar v3 as far as they are documented: inserts check no conflicts, ids stay used.
import { createPublicKey, verify } from 'node:crypto';
import type { GoogleEvent } from '../../adapters/calendars/google/google-event.ts';
import { json, startVendorServer, type VendorAnswer, type VendorRequest } from './vendor-server.ts';

export const googleCredentials = { refresh_token: 'refresh-token-of-the-workspace' };

const calendar = { id: 'primary', timeZone: 'America/New_York' };

export type GoogleServer = Awaited<ReturnType<typeof startGoogleServer>>;

function createTokens() {
  const grants = new Set([googleCredentials.refresh_token]);
  const serviceAccounts = new Map<string, string>();
  const accessTokens = new Set<string>();
  let made = 0;
  const issue = (): VendorAnswer => {
    made += 1;
    const token = `access-${made}`;
    accessTokens.add(token);
    const body = { access_token: token, expires_in: 3600, token_type: 'Bearer' };
    return { status: 200, body };
  };
  const answer = (request: VendorRequest): VendorAnswer => {
    const form = new URLSearchParams(request.body);
    if (form.get('grant_type') === 'refresh_token')
      return grants.has(form.get('refresh_token') ?? '') ? issue() : invalidGrant;
    return isSigned(form.get('assertion') ?? '', serviceAccounts) ? issue() : invalidGrant;
  };
  const isGood = ({ headers }: VendorRequest) =>
    accessTokens.has((headers.authorization ?? '').replace('Bearer ', ''));
  return { grants, serviceAccounts, accessTokens, answer, isGood };
}

function createEvents() {
  const events = new Map<string, GoogleEvent>();
  let born = Date.parse('2026-11-23T15:00:00Z');
  const keepEvent = (event: GoogleEvent): GoogleEvent => {
    born += 1000;
    const kept = { status: 'confirmed', created: new Date(born).toISOString(), ...event };
    events.set(kept.id ?? '', kept);
    return kept;
  };
  const insert = (request: VendorRequest): VendorAnswer => {
    const event = json(request) as GoogleEvent;
    if (!/^[a-v0-9]{5,1024}$/.test(event.id ?? '')) return refuse(400, 'invalid');
    if (events.has(event.id ?? '')) return refuse(409, 'duplicate');
    return { status: 200, body: keepEvent(event) };
  };
  const list = ({ query }: VendorRequest): VendorAnswer => {
    const min = Date.parse(query.get('timeMin') ?? '');
    const max = Date.parse(query.get('timeMax') ?? '');
    const items = [...events.values()].filter((event) => {
      const { start, end } = spanOf(event);
      return event.status !== 'cancelled' && end > min && start < max;
    });
    return { status: 200, body: { items, timeZone: calendar.timeZone } };
  };
  const freebusy = (request: VendorRequest): VendorAnswer => {
    const { timeMin, timeMax, items } = json(request) as {
      timeMin: string;
      timeMax: string;
      items: { id: string }[];
    };
    const id = items[0]?.id ?? '';
    if (id !== calendar.id)
      return { status: 200, body: { calendars: { [id]: { errors: [{ reason: 'notFound' }] } } } };
    const busy = [...events.values()]
      .filter((event) => event.status !== 'cancelled' && event.transparency !== 'transparent')
      .map(spanOf)
      .filter(({ start, end }) => end > Date.parse(timeMin) && start < Date.parse(timeMax))
      .map(({ start, end }) => ({
        start: new Date(start).toISOString(),
        end: new Date(end).toISOString(),
      }));
    return { status: 200, body: { calendars: { [id]: { busy } } } };
  };
  const remove = (id: string): VendorAnswer => {
    const event = events.get(id);
    if (!event) return refuse(404, 'notFound');
    if (event.status === 'cancelled') return refuse(410, 'deleted');
    events.set(id, { ...event, status: 'cancelled' });
    return { status: 204 };
  };
  return { events, keepEvent, insert, list, freebusy, remove };
}

export async function startGoogleServer() {
  const tokens = createTokens();
  const book = createEvents();
  const act = (operation: string, request: VendorRequest): VendorAnswer => {
    if (operation === 'token') return tokens.answer(request);
    if (!tokens.isGood(request)) return refuse(401, 'authError');
    if (operation === 'freebusy') return book.freebusy(request);
    const [, id = '', event = ''] = /calendars\/([^/]+)\/events\/?(.*)$/.exec(request.path) ?? [];
    if (id !== calendar.id) return refuse(404, 'notFound');
    if (operation === 'insert') return book.insert(request);
    if (operation === 'list') return book.list(request);
    if (operation === 'delete') return book.remove(event);
    const found = book.events.get(event);
    return found ? { status: 200, body: found } : refuse(404, 'notFound');
  };
  const server = await startVendorServer({ operationOf, act });
  return {
    ...server,
    events: book.events,
    keepEvent: book.keepEvent,
    /** Events that stand and keep a time busy. */
    standing: () => [...book.events.values()].filter(({ status }) => status !== 'cancelled'),
    addServiceAccount: (email: string, publicKey: string) =>
      tokens.serviceAccounts.set(email, publicKey),
    /** Access tokens end before their time. */
    expireTokens: () => tokens.accessTokens.clear(),
    /** The person took the consent back. */
    revoke() {
      tokens.grants.clear();
      tokens.accessTokens.clear();
    },
    restore: () => void tokens.grants.add(googleCredentials.refresh_token),
  };
}

function operationOf({ method, path }: VendorRequest): string {
  if (path === '/token') return 'token';
  if (path === '/calendar/v3/freeBusy') return 'freebusy';
  if (method === 'DELETE') return 'delete';
  if (method === 'POST') return 'insert';
  return path.endsWith('/events') ? 'list' : 'get';
}

const invalidGrant = {
  status: 400,
  body: { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' },
};

export function refuse(code: number, reason: string, headers: Record<string, string> = {}) {
  const message = `refused: ${reason}`;
  return {
    status: code,
    body: { error: { code, message, errors: [{ domain: 'global', reason, message }] } },
    headers,
  };
}

/** Days of the calendar's zone, which is five hours behind in the winter of these tests. */
function spanOf({ start, end }: GoogleEvent) {
  const moment = (time: GoogleEvent['start']) =>
    Date.parse(time?.dateTime ?? `${time?.date ?? ''}T05:00:00Z`);
  return { start: moment(start), end: moment(end) };
}

function isSigned(assertion: string, accounts: ReadonlyMap<string, string>): boolean {
  const [header = '', claims = '', signature = ''] = assertion.split('.');
  const { iss } = JSON.parse(Buffer.from(claims, 'base64url').toString() || '{}') as {
    iss?: string;
  };
  const key = accounts.get(iss ?? '');
  if (key === undefined) return false;
  const signed = Buffer.from(`${header}.${claims}`);
  return verify('sha256', signed, createPublicKey(key), Buffer.from(signature, 'base64url'));
}
