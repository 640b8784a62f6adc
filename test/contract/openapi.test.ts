import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { buildDocument } from '../../openapi/document.ts';
import { ERRORS, type ErrorCode } from '../../openapi/errors.ts';
import {
  acceptedExample,
  fullOrderExample,
  orderExample,
  smallOrderExample,
} from '../../openapi/examples.ts';
import { type Operation, pathParameters } from '../../openapi/operation.ts';
import { operations } from '../../openapi/operations.ts';
import { Order, OrderAccepted, OrderInput } from '../../openapi/orders.ts';
import { publicRouter } from '../../server/trpc/public-router.ts';
import { documentedOutcomes } from '../support/conformance.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const all: readonly Operation[] = Object.values(operations);

describe('the OpenAPI document', () => {
  test('is what the contract generates', () => {
    const built = buildDocument(publicRouter, { responses: 'open' });
    const committed = readFileSync(`${root}openapi/openapi.json`, 'utf8');
    expect(`${JSON.stringify(built, undefined, 2)}\n`).toBe(committed);
  });

  test('passes the strict lint', async () => {
    const redocly = `${root}node_modules/@redocly/cli/bin/cli.js`;
    const config = ['--config', `${root}openapi/redocly.yaml`];
    const env = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const lint = promisify(execFile)(
      process.execPath,
      [redocly, 'lint', ...config, `${root}openapi/openapi.json`],
      { env },
    );
    await expect(lint).resolves.toBeDefined();
  });

  test('promises every outcome that an operation declares, and no other', () => {
    const declared = all.flatMap((operation) => [
      `${operation.id} ${operation.success.status} ok`,
      ...Object.keys(operation.success.bytes?.otherAnswers ?? {}).map(
        (status) => `${operation.id} ${status} ok`,
      ),
      ...operation.errors.map((code) => `${operation.id} ${ERRORS[code].status} ${code}`),
    ]);
    expect(documentedOutcomes().toSorted()).toEqual(declared.toSorted());
  });

  test('keeps responses open: they may gain fields and values', () => {
    const published = JSON.stringify(buildDocument(publicRouter, { responses: 'open' }));
    expect(published).not.toContain('"additionalProperties":false');
  });

  test('shows examples that its own schemas accept', () => {
    expect(OrderInput.safeParse(smallOrderExample).success).toBe(true);
    expect(OrderInput.safeParse(fullOrderExample).success).toBe(true);
    expect(OrderAccepted.parse(acceptedExample)).toEqual(acceptedExample);
    expect(Order.parse(orderExample)).toEqual(orderExample);
  });
});

describe('the contract', () => {
  test('has a procedure for each operation and no further ones', () => {
    expect(Object.keys(publicRouter._def.procedures).toSorted()).toEqual(
      all.map(({ id }) => id).toSorted(),
    );
    expect(Object.entries(operations).every(([name, { id }]) => name === id)).toBe(true);
  });

  test.each(all)('lets $id answer only with public codes, each once', ({ errors }) => {
    expect(errors.every((code) => ERRORS[code].audience === 'public')).toBe(true);
    expect(new Set(errors).size).toBe(errors.length);
  });

  test.each(all)('lets $id answer 405 and 500', ({ errors }) => {
    expect(errors).toEqual(expect.arrayContaining(['method_not_allowed', 'internal_error']));
  });

  test.each(all)('declares unauthorized on $id exactly when it takes a key', ({ auth, errors }) => {
    expect(errors.includes('unauthorized')).toBe(auth === 'apiKey');
  });

  test.each(all)('reads each path parameter of $id as an input field', (operation) => {
    expect(Object.keys(operation.input.shape)).toEqual(
      expect.arrayContaining(pathParameters(operation)),
    );
  });

  test('gives the codes of the specification their statuses', () => {
    const specification: Partial<Record<ErrorCode, number>> = {
      invalid_json: 400,
      consent_required: 400,
      invalid_consent_source: 400,
      unauthorized: 401,
      invalid_request: 400,
      agent_not_found: 404,
      agent_inactive: 409,
      agent_not_published: 409,
      invalid_phone: 400,
      unsupported_destination: 422,
      idempotency_key_conflict: 409,
      rate_limited: 429,
      high_cost_destination: 422,
      insufficient_balance: 402,
      plan_inactive: 402,
      do_not_contact: 409,
      suppression_unavailable: 503,
      rate_unavailable: 503,
      wallet_unavailable: 503,
      not_found: 404,
      method_not_allowed: 405,
      internal_error: 500,
      unavailable: 503,
      invalid_body: 400,
      test_number_not_verified: 403,
      recording_deleted: 410,
      recording_unavailable: 502,
      api_key_limit: 409,
      invalid_webhook_url: 400,
      no_webhook_url: 400,
      forbidden: 403,
    };
    const catalogue = Object.entries(ERRORS).map(([code, { status }]) => [code, status]);
    expect(Object.fromEntries(catalogue)).toEqual(specification);
  });
});
