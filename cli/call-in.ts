// `svc call-in books`: somebody of the sandbox calls a number of ours.
import { parseArgs } from 'node:util';
import { loadConfig } from '../platform/config.ts';
import { findRunning } from './find-running.ts';

const usage =
  'svc call-in <person> [--to +12125550199] [--anonymous]\nPeople: see `svc seed`, and silent.\n';

export async function callInCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      to: { type: 'string', default: '+12125550199' },
      anonymous: { type: 'boolean', default: false },
    },
  });
  const [person, ...rest] = positionals;
  if (person === undefined || rest.length > 0) return fail(usage, 2);
  const running = await findRunning(loadConfig(process.env));
  if (!running) return fail('No running system was found: start one with `npm start`.\n', 1);
  const path = `/sandbox/people/${encodeURIComponent(person)}/calls`;
  const response = await fetch(`http://127.0.0.1:${running.sandboxPort}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(values),
  });
  const body = await response.text();
  if (response.status === 404) return fail(`Nobody in the sandbox is called ${person}.\n`, 1);
  if (!response.ok) return fail(`The sandbox answered ${response.status} ${body}\n`, 1);
  process.stdout.write(`${body}\n`);
  return 0;
}

function fail(message: string, code: number): number {
  process.stderr.write(message);
  return code;
}
