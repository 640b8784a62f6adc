// The official package, loaded with its first use: most installations connect no Google calendar.
import { createRequire } from 'node:module';
import type * as Google from '@googleapis/calendar';

const require = createRequire(import.meta.url);

export function googlePackage(): typeof Google {
  return require('@googleapis/calendar') as typeof Google;
}
