// Writes openapi.json. Run it after every change of the contract; a test compares.
import { writeFileSync } from 'node:fs';
import { publicRouter } from '../server/trpc/public-router.ts';
import { buildDocument } from './document.ts';

const document = buildDocument(publicRouter, { responses: 'open' });
writeFileSync(
  new URL('openapi.json', import.meta.url),
  `${JSON.stringify(document, undefined, 2)}\n`,
);
