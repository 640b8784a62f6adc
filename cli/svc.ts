// `npm run svc -- <command>`: small tools against a running system.
import { numbersCommand } from './numbers.ts';
import { seedCommand } from './seed.ts';

const commands: Record<string, (args: readonly string[]) => Promise<number>> = {
  numbers: numbersCommand,
  seed: seedCommand,
};

const [name = '', ...args] = process.argv.slice(2);
const command = commands[name];
if (!command) {
  process.stderr.write(`Commands: ${Object.keys(commands).join(', ')}\n`);
  process.exit(2);
}
process.exit(await command(args));
