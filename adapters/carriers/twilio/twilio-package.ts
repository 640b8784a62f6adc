// The official package, loaded with its first use: it takes longer to load than all of ours together.
import { createRequire } from 'node:module';
import type twilio from 'twilio';

const require = createRequire(import.meta.url);

export function twilioPackage(): typeof twilio {
  // Node keeps what it loaded, and the package's types are those of this very file.
  return require('twilio') as typeof twilio;
}
