// `svc answer --number +1... [--agent agt_...]`: which agent answers on a number; without one, the first that can.
import { parseArgs } from 'node:util';
import { openContext } from '../compose/create-context.ts';
import { prepareDatabase } from '../compose/prepare-database.ts';
import { setAnsweringAgent } from '../domain/workspaces/set-answering-agent.ts';
import { loadConfig, loadSecrets } from '../platform/config.ts';
import { findRunning } from './find-running.ts';

const usage =
  'svc answer --number +12125550199 [--agent agt_demo] [--workspace wsp_demo]\n' +
  'Without --agent the first active, published agent answers.\n';

export async function answerCommand(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      number: { type: 'string' },
      agent: { type: 'string' },
      workspace: { type: 'string', default: 'wsp_demo' },
    },
  });
  const { number: phone, agent, workspace: workspaceId } = values;
  if (phone === undefined) return fail(usage, 2);
  const config = loadConfig(process.env);
  const running = await findRunning(config);
  if (!running) return fail('No running system was found: start one with `npm start`.\n', 1);
  await prepareDatabase(running.databaseUrl);
  const { ctx, close } = openContext(
    'cli',
    { ...config, databaseUrl: running.databaseUrl, logLevel: 'error' },
    loadSecrets(process.env, config.dataDir),
  );
  try {
    const agentId = agent ?? null;
    const outcome = await setAnsweringAgent(ctx, { workspaceId, phone, agentId });
    process.stdout.write(`${outcome}\n`);
    return outcome === 'set' ? 0 : 1;
  } finally {
    await close();
  }
}

function fail(message: string, code: number): number {
  process.stderr.write(message);
  return code;
}
