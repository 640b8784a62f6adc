import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PublicEdge, startPublicEdge } from '../support/public-edge.ts';

let edge: PublicEdge;
beforeAll(async () => {
  edge = await startPublicEdge();
});
afterAll(() => edge.close());

test('the reference page loads nothing from other origins, and may not', async () => {
  const response = await fetch(`${edge.url}/docs`);
  const html = await response.text();
  expect(response.status).toBe(200);
  expect(html).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  const policy = response.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("connect-src 'self'");
  expect(policy).not.toMatch(/https?:|\*|'unsafe-eval'/);
});

test('its own inline script is the only one that its policy lets run', async () => {
  const response = await fetch(`${edge.url}/docs`);
  const [, code = ''] =
    /<script type="text\/javascript"[^>]*>([\s\S]*?)<\/script>/.exec(await response.text()) ?? [];
  const hash = createHash('sha256').update(code).digest('base64');
  expect(response.headers.get('content-security-policy')).toContain(`'sha256-${hash}'`);
  expect(code).toContain('"url": "/openapi.json"');
  expect(code).toContain('"telemetry": false');
  expect(code).toContain('"withDefaultFonts": false');
});

test('its bundle comes from here, packed for who can unpack it, once per version', async () => {
  const headers = { 'accept-encoding': 'identity' };
  const plain = await fetch(`${edge.url}/docs/scalar.js`, { headers });
  const text = await plain.text();
  expect(plain.headers.get('content-encoding')).toBeNull();
  expect(text).toContain('createApiReference');
  const packed = await edge.sendRaw(
    'GET /docs/scalar.js HTTP/1.1\r\nhost: x\r\naccept-encoding: gzip\r\nconnection: close\r\n\r\n',
  );
  expect(packed).toMatch(/\r\ncontent-encoding: gzip\r\n/i);
  const body = Buffer.from(packed.slice(packed.indexOf('\r\n\r\n') + 4), 'latin1');
  expect(gunzipSync(body).toString()).toBe(text);
  const etag = plain.headers.get('etag') ?? '';
  const again = await fetch(`${edge.url}/docs/scalar.js`, { headers: { 'if-none-match': etag } });
  expect(again.status).toBe(304);
});
