// The jobs process: graphile-worker wakes and runs the work; the tables say what is due.
import { runProcess } from '../compose/run-process.ts';
import { startJobs } from './start-jobs.ts';

await runProcess('jobs', ({ ctx, config }) => startJobs(ctx, config.databaseUrl));
