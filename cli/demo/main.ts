// `npm run demo`: one live order over the sandbox network, from POST to a verified webhook, told as it happens.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { destination } from 'pino';
import { openContext } from '../../compose/create-context.ts';
import { startSystem } from '../../compose/start-system.ts';
import { sandboxPeople } from '../../domain/workspaces/sandbox-people.ts';
import { createSeed } from '../../domain/workspaces/seed-demo.ts';
import { loadConfig, loadSecrets } from '../../platform/config.ts';
import { findFreePort } from '../../platform/free-port.ts';
import { createLogger } from '../../platform/log.ts';
import { createClient } from '../../sdk/src/index.ts';
import { followOrder } from './follow-order.ts';
import { judgeOrder } from './judge-order.ts';
import { openReceiver } from './receiver.ts';

/** Shortens ringing and thinking; the speech itself stays real. */
const simulationSpeed = 4;
const firstPort = 8180;

const dataDir = await mkdtemp(join(tmpdir(), 'lead-calling-demo-'));
const environment = {
  PATH: process.env['PATH'],
  PORT: String(await findFreePort(firstPort)),
  DATA_DIR: dataDir,
  SIMULATION_SPEED: String(simulationSpeed),
  WEBHOOK_ALLOW_LOCAL_URLS: 'true',
  LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'error',
};
process.exitCode = await runDemo();

async function runDemo(): Promise<number> {
  const config = loadConfig(environment);
  const secrets = loadSecrets(environment, dataDir);
  const log = createLogger({
    level: config.logLevel,
    process: 'demo',
    sink: destination({ dest: 2, sync: true }),
  });
  print(
    'Starting Postgres, the server, the voice gateway, the jobs and a sandbox phone network ...',
  );
  const system = await startSystem({ config, secrets, environment, log });
  const { ctx, close } = openContext(
    'cli',
    { ...config, databaseUrl: system.databaseUrl },
    secrets,
  );
  const receiver = await openReceiver();
  try {
    const seed = await createSeed(ctx);
    const client = createClient({ apiKey: seed.live_key, baseUrl: system.baseUrl });
    const accepted = await client.orders.create({
      agent_id: seed.agent_id,
      lead: {
        phone: sandboxPeople.books,
        first_name: 'Dana',
        custom_context: 'Asked for a roof quote.',
      },
      consent: {
        opt_in_confirmed: true,
        consented_at: ctx.clock.now().toISOString(),
        source: 'https://example.com/roof-quote',
      },
      webhook_url: receiver.url,
    });
    print(`Order ${accepted.order_id} accepted for ${sandboxPeople.books}; dialling.\n`);
    const order = await followOrder(client, accepted.order_id, { print, clock: ctx.clock });
    const kept = await judgeOrder(ctx, {
      order,
      receiver,
      webhookSecret: seed.webhook_secret,
      recordingsDir: join(dataDir, 'recordings'),
      print,
    });
    return kept ? 0 : 1;
  } finally {
    await receiver.close();
    await close();
    await system.stop();
    // The recording outlives the demo; all else was temporary.
    for (const part of ['postgres', 'app-secret', 'postgres-password', 'postgres.log', 'spool'])
      await rm(join(dataDir, part), { recursive: true, force: true });
  }
}

function print(line: string) {
  process.stdout.write(`${line}\n`);
}
