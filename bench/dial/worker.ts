// The jobs process of the dial benchmark: the product's own, and a task that does nothing for the floor.
import { z } from 'zod';
import { openContext } from '../../compose/create-context.ts';
import { startJobs } from '../../jobs/start-jobs.ts';
import { taskList } from '../../jobs/tasks.ts';
import { loadConfig } from '../../platform/config.ts';

const { environment, appSecret, databaseUrl } = z
  .object({
    environment: z.record(z.string(), z.string()),
    appSecret: z.string(),
    databaseUrl: z.string(),
  })
  .parse(JSON.parse(process.argv[2] ?? '{}'));

const { ctx } = openContext('jobs', { ...loadConfig(environment), databaseUrl }, { appSecret });
await startJobs(ctx, databaseUrl, { ...taskList(ctx), nothing: async () => {} });
process.send?.('ready');

process.on('message', (message) => {
  if (message === 'memory')
    process.send?.({ rssMb: Math.round(process.memoryUsage().rss / 1_048_576) });
});
process.once('disconnect', () => process.exit(0));
