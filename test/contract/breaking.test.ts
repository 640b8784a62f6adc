import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { type AcceptedChange, compareDocuments, judgeChanges } from '../../openapi/breaking.ts';
import type { JsonObject } from '../../openapi/schema-openness.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const redocly = `${root}node_modules/@redocly/cli/bin/cli.js`;

function read<Content>(name: string): Content {
  return JSON.parse(readFileSync(`${root}openapi/${name}`, 'utf8')) as Content;
}

async function runRedocly(...parameters: string[]): Promise<string> {
  const env = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const { stdout } = await promisify(execFile)(process.execPath, [redocly, ...parameters], {
    env,
    cwd: root,
  });
  return stdout;
}

test('the contract breaks nothing that was released, unless accepted by name', () => {
  const released = read<JsonObject>('released.json');
  const accepted = read<AcceptedChange[]>('accepted-changes.json');
  const { unaccepted, spare } = judgeChanges(
    compareDocuments(released, read<JsonObject>('openapi.json')),
    accepted,
  );
  expect(unaccepted).toEqual([]);
  expect(spare).toEqual([]);
});

test('a second judge finds no major change either, as long as none was accepted', async () => {
  const level = read<AcceptedChange[]>('accepted-changes.json').length > 0 ? 'none' : 'major';
  const documents = ['openapi/released.json', 'openapi/openapi.json'];
  const config = ['--config', 'openapi/redocly-diff.yaml', '--fail-on', level];
  await expect(runRedocly('diff', ...documents, ...config)).resolves.toBeDefined();
});

test('the document scores at least 90 of 100 for who has to read it', async () => {
  const report = await runRedocly('score', 'openapi/openapi.json', '--format', 'json');
  const { agentReadiness } = JSON.parse(report) as { agentReadiness: number };
  expect(agentReadiness).toBeGreaterThanOrEqual(90);
});

/** Fails when the path leads nowhere, so that no mutation below is an empty one. */
function mutate(path: readonly string[], value: unknown) {
  const document = structuredClone(read<Record<string, unknown>>('openapi.json'));
  const last = path.at(-1) ?? '';
  let place: Record<string, unknown> = document;
  for (const step of path.slice(0, -1)) {
    const next = place[step];
    if (typeof next !== 'object' || next === null) throw new Error(`nothing at ${step}`);
    place = next as Record<string, unknown>;
  }
  if (value === undefined) delete place[last];
  else place[last] = value;
  return compareDocuments(read<JsonObject>('openapi.json'), document as JsonObject);
}

const schemas = ['components', 'schemas'];
const createOrder = ['paths', '/v1/orders', 'post'];

describe('the gate calls breaking', () => {
  test.each([
    ['operation-removed', [...createOrder], undefined],
    ['operation-id-changed', [...createOrder, 'operationId'], 'placeOrder'],
    ['security-changed', [...createOrder, 'security'], []],
    ['response-removed', [...createOrder, 'responses', '202'], undefined],
    ['response-added', [...createOrder, 'responses', '200'], { description: 'x' }],
    [
      'header-removed',
      [...createOrder, 'responses', '202', 'headers', 'Idempotent-Replayed'],
      undefined,
    ],
    ['parameter-removed', [...createOrder, 'parameters'], []],
    [
      'property-became-required',
      [...schemas, 'OrderInput', 'required'],
      ['agent_id', 'lead', 'consent', 'webhook_url'],
    ],
    [
      'bound-tightened',
      [...schemas, 'OrderInput', 'properties', 'external_reference_id', 'maxLength'],
      100,
    ],
    ['type-changed', [...schemas, 'OrderInput', 'properties', 'webhook_url', 'type'], 'string'],
    ['property-removed', [...schemas, 'OrderAccepted', 'properties', 'status'], undefined],
    [
      'property-became-optional',
      [...schemas, 'OrderAccepted', 'required'],
      ['success', 'order_id'],
    ],
    [
      'type-changed',
      [...schemas, 'OrderAccepted', 'properties', 'order_id', 'type'],
      ['string', 'null'],
    ],
    [
      'value-added',
      [...schemas, 'OrderStatus', 'enum'],
      read<{ components: { schemas: { OrderStatus: { enum: string[] } } } }>(
        'openapi.json',
      ).components.schemas.OrderStatus.enum.concat('LOST'),
    ],
    [
      'open-list-closed',
      [...schemas, 'OrderCompletedEvent', 'properties', 'reason', 'x-extensible-enum'],
      undefined,
    ],
    ['property-removed', [...schemas, 'OrderCompletedEvent', 'properties', 'test'], undefined],
    ['operation-removed', ['webhooks', 'orderUpdated'], undefined],
  ])('%s at %j', (rule, path, value) => {
    const { unaccepted } = judgeChanges(mutate(path, value), []);
    expect(unaccepted.map((found) => found.rule)).toContain(rule);
  });
});

describe('the gate lets pass', () => {
  test.each([
    [
      'a new optional field of a request',
      [...schemas, 'OrderInput', 'properties', 'note'],
      { type: 'string' },
    ],
    [
      'a new field of an answer',
      [...schemas, 'OrderAccepted', 'properties', 'note'],
      { type: 'string' },
    ],
    [
      'a new field of a webhook',
      [...schemas, 'OrderUpdatedEvent', 'properties', 'note'],
      { type: 'string' },
    ],
    [
      'a wider bound of a request',
      [...schemas, 'OrderInput', 'properties', 'external_reference_id', 'maxLength'],
      300,
    ],
    ['a new operation', ['paths', '/v1/new'], { get: { responses: {} } }],
    ['a new error status', [...createOrder, 'responses', '418'], { description: 'x' }],
    ['another wording', [...createOrder, 'description'], 'Places an order.'],
  ])('%s', (_what, path, value) => {
    expect(judgeChanges(mutate(path, value), []).unaccepted).toEqual([]);
  });

  test('what was accepted by rule and place, and tells of acceptances that are spare', () => {
    const changes = mutate([...createOrder, 'operationId'], 'placeOrder');
    const reason = 'asked for by every integrator';
    const accepted = { rule: 'operation-id-changed', at: 'post /v1/orders', reason };
    expect(judgeChanges(changes, [accepted])).toEqual({ unaccepted: [], spare: [] });
    expect(judgeChanges([], [accepted])).toEqual({ unaccepted: [], spare: [accepted] });
  });
});
