// Which methods each address takes; every other gets 405 with `Allow`, before anything else.
import { METHODS } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PublicEdge, startPublicEdge } from '../support/public-edge.ts';

let edge: PublicEdge;
beforeAll(async () => {
  edge = await startPublicEdge();
});
afterAll(() => edge.close());

describe('methods', () => {
  const allowed = {
    '/v1/orders': 'GET, POST',
    '/v1/me': 'GET',
    '/v1/agents': 'GET',
    '/v1/orders/ord_1': 'GET',
    '/healthz': 'GET',
    '/openapi.json': 'GET',
  };
  const cases = Object.entries(allowed).flatMap(([path, allow]) =>
    [...METHODS, 'BREW']
      .filter((method) => !allow.split(', ').includes(method))
      .map((method) => ({ method, path, allow })),
  );

  test.each(cases)(
    '$method $path answers 405 and allows $allow',
    async ({ method, path, allow }) => {
      const answer = await edge.sendRaw(
        `${method} ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 1\r\n\r\n{`,
      );
      expect(answer).toMatch(/^HTTP\/1\.1 405 /);
      expect(answer).toMatch(new RegExp(`\r\nallow: ${allow}\r\n`, 'i'));
      expect(answer).toMatch(/\r\nx-request-id: req_/i);
      expect(answer).toMatch(method === 'HEAD' ? /\r\n\r\n$/ : /"error":"method_not_allowed"/);
    },
  );

  test.each(['/', '/v1', '/v1/order', '/v1/orders/a/b', '/v1/%E0%A4%A'])(
    'any method on %s answers 404',
    async (path) => {
      for (const method of ['GET', 'POST', 'DELETE']) {
        const response = await fetch(edge.url + path, { method });
        expect(response.status).toBe(404);
        expect(await response.json()).toMatchObject({ success: false, error: 'not_found' });
      }
    },
  );
});
