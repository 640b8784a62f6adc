// A supervised child. Arguments: the file it writes its process id to, and how it behaves.
import { appendFileSync } from 'node:fs';
import { onParentGone, tellReady } from '../../../platform/supervise.ts';

const [file = '', behaviour] = process.argv.slice(2);
appendFileSync(file, `started ${process.pid}\n`);
const keepAlive = setInterval(() => undefined, 60_000);

function end(why: string) {
  appendFileSync(file, `${why} ${process.pid}\n`);
  clearInterval(keepAlive);
  process.exit(0);
}

if (behaviour === 'fails') process.exit(3);
process.on('SIGTERM', () => end('terminated'));
onParentGone(() => end('orphaned'));
tellReady();
