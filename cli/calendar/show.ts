// `svc calendar show`: which calendar, whether it works, and when appointments may be.
import { parseArgs } from 'node:util';
import { readCalendar } from '../../domain/appointments/read-calendar.ts';
import { onRunningSystem } from '../on-running-system.ts';

export function showCalendarCommand(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { workspace: { type: 'string', default: 'wsp_demo' } },
  });
  return onRunningSystem(async (ctx) => {
    const calendar = await readCalendar(ctx, values.workspace);
    if (!calendar) {
      process.stderr.write(`No workspace ${values.workspace}.\n`);
      return 1;
    }
    process.stdout.write(`${JSON.stringify(calendar, null, 2)}\n`);
    return 0;
  });
}
