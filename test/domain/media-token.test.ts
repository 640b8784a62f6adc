import { expect, it } from 'vitest';
import { createMediaToken, readMediaToken } from '../../domain/calls/media-token.ts';

const secret = 'a secret of this test only, long enough';
const call = { workspaceId: 'wsp_1', orderId: 'ord_1', attemptId: 'att_1' };
const now = new Date('2026-11-23T15:00:00Z');
const later = new Date('2026-11-23T15:02:00Z');

it('a token names its call until it expires', () => {
  const token = createMediaToken(secret, call, later);
  expect(readMediaToken(secret, token, now)).toEqual({ kind: 'good', call });
  expect(readMediaToken(secret, token, new Date(later.getTime() + 1))).toEqual({ kind: 'expired' });
});

it('a token of another secret, a changed one and nonsense are refused', () => {
  const token = createMediaToken(secret, call, later);
  const other = createMediaToken(secret, { ...call, attemptId: 'att_2' }, later);
  const mixed = `${other.split('.')[0]}.${token.split('.')[1]}`;
  for (const forged of [
    createMediaToken('other secret', call, later),
    mixed,
    `${token}x`,
    '',
    '.',
    'a.b.c',
  ])
    expect(readMediaToken(secret, forged, now)).toEqual({ kind: 'bad_token' });
});

it('fits into a URL path as it is', () => {
  expect(createMediaToken(secret, call, later)).toMatch(/^[\w-]+\.[\w-]+$/);
});
