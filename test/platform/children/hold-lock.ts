// Takes the instance lock of the directory in its first argument and keeps it.
import { acquireInstanceLock } from '../../../platform/single-instance.ts';

const lock = await acquireInstanceLock(process.argv[2] ?? '');
process.send?.(lock.kind);
if (lock.kind === 'acquired') setInterval(() => undefined, 60_000);
