// The whole system as real processes on a test's own database, to be killed and watched.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openContext } from '../../compose/create-context.ts';
import { startSystem } from '../../compose/start-system.ts';
import type { Context } from '../../domain/context.ts';
import { readOrder } from '../../domain/orders/read-order.ts';
import { loadConfig, loadSecrets } from '../../platform/config.ts';
import { findFreePort } from '../../platform/free-port.ts';
import { createLogger } from '../../platform/log.ts';
import { createTestDatabase } from './database.ts';
import { createWorkspace, orderBody, type TestWorkspace } from './factories.ts';
import { openTcpProxy } from './tcp-proxy.ts';

export type LiveSystem = Awaited<ReturnType<typeof startLiveSystem>>;

export async function startLiveSystem(options: {
  firstPort: number;
  environment?: Record<string, string>;
}) {
  const database = await createTestDatabase();
  const direct = new URL(database.url);
  const proxy = await openTcpProxy({ host: direct.hostname, port: Number(direct.port) });
  const proxied = new URL(database.url);
  proxied.port = String(proxy.port);
  const dataDir = await mkdtemp(join(tmpdir(), 'service-live-'));
  const environment = {
    PATH: process.env['PATH'],
    PORT: String(await findFreePort(options.firstPort)),
    DATA_DIR: dataDir,
    DATABASE_URL: proxied.href,
    WEBHOOK_ALLOW_LOCAL_URLS: 'true',
    SIMULATION_SPEED: '10',
    LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'error',
    ...options.environment,
  };
  const config = loadConfig(environment);
  const secrets = loadSecrets(environment, dataDir);
  const log = createLogger({ level: config.logLevel, process: 'test' });
  const system = await startSystem({ config, secrets, environment, log });
  const opened = openContext('cli', { ...config, databaseUrl: database.url }, secrets);
  const { db } = opened.ctx;
  return {
    system,
    proxy,
    dataDir,
    ctx: opened.ctx,
    workspace: (options: Parameters<typeof createWorkspace>[1] = {}) =>
      createWorkspace(opened.ctx, options),
    /** Places a live order over HTTP. */
    async order(workspace: TestWorkspace, phone: string, change: Record<string, unknown> = {}) {
      const response = await postOrder(system.baseUrl, workspace, phone, change);
      const body = (await response.json()) as { order_id: string };
      return { status: response.status, id: body.order_id };
    },
    /** What GET tells, past the read limit: tests look more often than a client may. */
    read: (workspace: TestWorkspace, orderId: string) => readBody(opened.ctx, workspace, orderId),
    kill: (part: string) => signal(system.pidOf(part), 'SIGKILL'),
    signal: (part: string, name: NodeJS.Signals) => signal(system.pidOf(part), name),
    /** What falls due later falls due this much sooner, and the jobs look. */
    async passTime(seconds: number, { hint = true } = {}) {
      await passTime(db, seconds);
      if (hint) await db`select graphile_worker.add_job('pump')`;
    },
    ...controlSandbox(system.sandboxUrl),
    async stop() {
      proxy.release();
      await opened.close();
      await system.stop();
      await proxy.close();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function signal(pid: number | undefined, name: NodeJS.Signals) {
  if (pid !== undefined) process.kill(pid, name);
  return pid;
}

type Db = Awaited<ReturnType<typeof createTestDatabase>>['db'];

async function passTime(db: Db, seconds: number) {
  await db`update orders set next_dial_at = next_dial_at - ${seconds} * interval '1 second',
    lease_until = lease_until - ${seconds} * interval '1 second' where next_dial_at is not null`;
  await db`update attempts set watch_at = watch_at - ${seconds} * interval '1 second',
    lease_until = lease_until - ${seconds} * interval '1 second',
    gateway_seen_at = gateway_seen_at - ${seconds} * interval '1 second'
    where watch_at is not null`;
  await db`update deliveries set
    next_attempt_at = next_attempt_at - ${seconds} * interval '1 second',
    lease_until = lease_until - ${seconds} * interval '1 second' where state = 'due'`;
}

export type ReadOrder = Awaited<ReturnType<typeof readBody>>;

async function readBody(ctx: Context, workspace: TestWorkspace, orderId: string) {
  const key = { keyId: 'key_test', workspaceId: workspace.id, mode: 'live' } as const;
  const body = await readOrder(ctx, key, orderId);
  if (!body) throw new Error('The order is there.');
  return body;
}

function postOrder(
  baseUrl: string,
  workspace: TestWorkspace,
  phone: string,
  change: Record<string, unknown>,
) {
  const { idempotencyKey, ...fields } = change;
  return fetch(`${baseUrl}/v1/orders`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${workspace.liveKey}`,
      ...(typeof idempotencyKey === 'string' && { 'idempotency-key': idempotencyKey }),
    },
    body: JSON.stringify(orderBody(workspace, { lead: { phone, first_name: 'Dana' }, ...fields })),
  });
}

interface SandboxCall {
  readonly sid: string;
  readonly status: string;
  /** What the agent or an announcement said, as the person heard it. */
  readonly heard: string;
  readonly warnings: readonly { readonly code: number }[];
}

/** What the sandbox network saw, and the faults it is told to have. */
function controlSandbox(sandboxUrl: string) {
  const get = async <Body>(path: string) =>
    (await (await fetch(`${sandboxUrl}${path}`)).json()) as Body;
  const post = (path: string, body: object) =>
    fetch(`${sandboxUrl}/sandbox/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  return {
    async ringsOf(phone: string) {
      const { rings } = await get<{ rings: Record<string, number> }>('/sandbox/calls');
      return rings[phone] ?? 0;
    },
    async textsTo(phone: string) {
      const { texts } = await get<{ texts: { to: string }[] }>('/sandbox/texts');
      return texts.filter(({ to }) => to === phone);
    },
    async faultsHappened(phone: string) {
      const { happened } = await get<{ happened: number }>(`/sandbox/faults/${phone}`);
      return happened;
    },
    fault: (fault: Record<string, unknown>) => post('faults', fault),
    /** A person texts one of our numbers. */
    textBack: (text: { from: string; to: string; body: string }) => post('texts', text),
    /** Somebody of the sandbox calls a number of ours; gives the network's id of the call. */
    async callIn(person: string, to: string, options: { anonymous?: boolean } = {}) {
      const response = await post(`people/${person}/calls`, { to, ...options });
      const { sid } = (await response.json()) as { sid: string };
      return sid;
    },
    async sandboxCall(sid: string) {
      const { calls } = await get<{ calls: SandboxCall[] }>('/sandbox/calls');
      const call = calls.find((each) => each.sid === sid);
      if (!call) throw new Error('The network knows the call.');
      return call;
    },
  };
}
