// `npm run svc -- <command>`: small tools against a running system.
import { answerCommand } from './answer.ts';
import { calendarCommand } from './calendar.ts';
import { callInCommand } from './call-in.ts';
import { dncCommand } from './dnc.ts';
import { planCommand } from './plan.ts';
import { rateDeckCommand } from './rate-deck.ts';
import { numbersCommand } from './numbers.ts';
import { seedCommand } from './seed.ts';
import { walletCommand } from './wallet.ts';

const commands: Record<string, (args: readonly string[]) => Promise<number>> = {
  answer: answerCommand,
  calendar: calendarCommand,
  'call-in': callInCommand,
  dnc: dncCommand,
  plan: planCommand,
  'rate-deck': rateDeckCommand,
  numbers: numbersCommand,
  seed: seedCommand,
  wallet: walletCommand,
};

const [name = '', ...args] = process.argv.slice(2);
const command = commands[name];
if (!command) {
  process.stderr.write(`Commands: ${Object.keys(commands).join(', ')}\n`);
  process.exit(2);
}
process.exit(await command(args));
