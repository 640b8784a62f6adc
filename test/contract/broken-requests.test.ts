// Requests that no route ever sees: what Node's parser and the edge refuse by themselves.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PublicEdge, startPublicEdge } from '../support/public-edge.ts';

let edge: PublicEdge;
beforeAll(async () => {
  edge = await startPublicEdge();
});
afterAll(() => edge.close());

describe('requests that are not HTTP as it should be', () => {
  test.each([
    ['no request line', 'hello\r\n\r\n'],
    [
      'a wrong Content-Length',
      'POST /v1/orders HTTP/1.1\r\nhost: x\r\ncontent-length: one\r\n\r\n',
    ],
    ['headers without end', `GET /healthz HTTP/1.1\r\nhost: x\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`],
    ['no Host', 'GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n'],
  ])('%s is answered in our error shape', async (_what, bytes) => {
    const answer = await edge.sendRaw(bytes);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toMatch(/\r\nx-request-id: req_/i);
    expect(answer).toContain('{"success":false,"error":"invalid_request","message":');
  });

  test('invalid UTF-8 is not JSON', async () => {
    const answer = await edge.sendRaw(
      'POST /v1/orders HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: ' +
        '9\r\n\r\n{"a":"\xff"}',
    );
    expect(answer).toContain('"error":"invalid_json"');
  });

  test('a body that comes too slowly is answered, and its connection closed', async () => {
    const impatient = await startPublicEdge({ requestTimeoutMs: 200 });
    const answer = await impatient.sendRaw(
      'POST /v1/orders HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{"agent_id":',
    );
    await impatient.close();
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('"error":"invalid_request"');
    expect(answer).toMatch(/\r\nconnection: close\r\n/i);
  });

  test('an unknown expectation is ignored', async () => {
    const answer = await edge.sendRaw(
      'GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\nexpect: tea\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  });
});
