// What the README of the SDK shows is what the package has.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as sdk from '../../sdk/src/index.ts';

const readme = readFileSync(new URL('../../sdk/README.md', import.meta.url), 'utf8');
const client = sdk.createClient({ apiKey: 'svc_test_x', baseUrl: 'https://example.com' });

test('every import of its examples exists', () => {
  const names = Array.from(
    readme.matchAll(/import \{ ([^}]+) \} from '@svc\/sdk'/g),
    ([, list = '']) => list.split(', '),
  ).flat();
  expect(names.length).toBeGreaterThan(2);
  expect(names.filter((name) => !(name in sdk))).toEqual([]);
});

test('its table names every method of the client, and no other', () => {
  const [, table = ''] = /## Methods\n([\s\S]*?)\n```/.exec(readme) ?? [];
  const told = Array.from(table.matchAll(/^\| `([\w.]+)\(/gm), ([, name = '']) => name);
  const methods = Object.entries(client).flatMap(([name, part]) =>
    typeof part === 'function'
      ? [name]
      : Object.keys(part as object).map((inner) => `${name}.${inner}`),
  );
  expect(told.toSorted()).toEqual(methods.toSorted());
});
