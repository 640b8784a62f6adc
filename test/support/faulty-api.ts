// A real server process on a Postgres of its own, which may be stopped, crashed and started again.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openContext } from '../../compose/create-context.ts';
import { prepareDatabase } from '../../compose/prepare-database.ts';
import { loadConfig, loadSecrets } from '../../platform/config.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../platform/embedded-postgres.ts';
import { findFreePort } from '../../platform/free-port.ts';
import { createLogger } from '../../platform/log.ts';
import { superviseProcess } from '../../platform/supervise.ts';
import { createWorkspace, orderBody, type TestWorkspace } from './factories.ts';
import { openTcpProxy } from './tcp-proxy.ts';

export type FaultyApi = Awaited<ReturnType<typeof startFaultyApi>>;

const serverFile = fileURLToPath(new URL('../../server/main.ts', import.meta.url));

export async function startFaultyApi(options: { firstPort: number; openFilesMax?: number }) {
  const dataDir = await mkdtemp(join(tmpdir(), 'service-faults-'));
  const log = createLogger({ level: process.env['TEST_LOG_LEVEL'] ?? 'fatal', process: 'test' });
  let postgres: EmbeddedPostgres = await startEmbeddedPostgres({ dataDir, log });
  await prepareDatabase(postgres.url);
  // The proxy keeps its port while Postgres gets a new one with every start.
  const target = { host: '127.0.0.1', port: portOf(postgres) };
  const proxy = await openTcpProxy(target);
  const ownProxy = await openTcpProxy(target);
  const through = (port: number) => Object.assign(new URL(postgres.url), { port }).href;
  const environment = {
    PATH: process.env['PATH'],
    PORT: String(await findFreePort(options.firstPort)),
    DATA_DIR: dataDir,
    DATABASE_URL: through(proxy.port),
    LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'fatal',
  };
  const config = { ...loadConfig(environment), databaseUrl: through(ownProxy.port) };
  const secrets = loadSecrets(environment, dataDir);
  const server = await superviseProcess({
    name: 'server',
    ...commandWithin(options.openFilesMax),
    env: environment,
    log,
    restart: true,
  });
  const { ctx, close } = openContext('cli', config, secrets);
  const baseUrl = `http://127.0.0.1:${config.port}`;
  return {
    baseUrl,
    port: config.port,
    /** Between the server and Postgres; the test itself has another way. */
    proxy,
    ctx,
    directUrl: () => postgres.url,
    workspace: () => createWorkspace(ctx),
    serverPid: () => server.pid(),
    killServer() {
      const pid = server.pid();
      if (pid !== undefined) process.kill(pid, 'SIGKILL');
    },
    stopPostgres: () => postgres.stop(),
    /** As a power cut would end it: the next start recovers from the log. */
    async crashPostgres() {
      const [pid] = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split(
        '\n',
      );
      process.kill(Number(pid), 'SIGQUIT');
      await postgres.ended;
    },
    async startPostgres() {
      postgres = await startEmbeddedPostgres({ dataDir, log });
      target.port = portOf(postgres);
    },
    post: (workspace: TestWorkspace, request: Parameters<typeof post>[2] = {}) =>
      post(baseUrl, workspace, request),
    get: (path: string, key: string) => answer(fetch(`${baseUrl}${path}`, withKey(key))),
    async stop() {
      await server.stop();
      await close();
      await proxy.close();
      await ownProxy.close();
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function portOf(postgres: EmbeddedPostgres): number {
  return Number(new URL(postgres.url).port);
}

function commandWithin(openFilesMax: number | undefined) {
  if (openFilesMax === undefined) return { command: process.execPath, args: [serverFile] };
  const script = `ulimit -n ${openFilesMax} && exec "$0" "$1"`;
  return { command: '/bin/sh', args: ['-c', script, process.execPath, serverFile] };
}

export interface FaultyAnswer {
  /** 0 when no answer came. */
  readonly status: number;
  readonly body: { readonly error?: string; readonly order_id?: string };
}

function post(
  baseUrl: string,
  workspace: TestWorkspace,
  request: { key?: string; idempotencyKey?: string },
): Promise<FaultyAnswer> {
  const { key = workspace.liveKey, idempotencyKey } = request;
  return answer(
    fetch(`${baseUrl}/v1/orders`, {
      method: 'POST',
      headers: {
        ...withKey(key).headers,
        ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
      },
      body: JSON.stringify(orderBody(workspace)),
    }),
  );
}

function withKey(key: string) {
  return { headers: { authorization: `Bearer ${key}` } };
}

async function answer(sent: Promise<Response>): Promise<FaultyAnswer> {
  try {
    const response = await sent;
    return { status: response.status, body: (await response.json()) as FaultyAnswer['body'] };
  } catch {
    return { status: 0, body: {} };
  }
}
