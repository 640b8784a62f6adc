// `svc calendar hours mon-fri=09:00-17:00 sat=closed`: days that are not named stay as they are.
import { parseArgs } from 'node:util';
import { readCalendar } from '../../domain/appointments/read-calendar.ts';
import { setHours } from '../../domain/appointments/set-hours.ts';
import { onRunningSystem } from '../on-running-system.ts';

const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const minuteFlags = {
  every: 'startEveryMinutes',
  before: 'bufferBeforeMinutes',
  after: 'bufferAfterMinutes',
  notice: 'noticeMinutes',
  horizon: 'horizonDays',
} as const;

export function calendarHoursCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      workspace: { type: 'string', default: 'wsp_demo' },
      timezone: { type: 'string' },
      every: { type: 'string' },
      before: { type: 'string' },
      after: { type: 'string' },
      notice: { type: 'string' },
      horizon: { type: 'string' },
    },
  });
  return onRunningSystem(async (ctx) => {
    const present = await readCalendar(ctx, values.workspace);
    const openingHours = changeDays(present?.openingHours ?? [], positionals);
    if (typeof openingHours === 'string') return failWith(openingHours);
    const numbers = Object.entries(minuteFlags).flatMap(([flag, field]) => {
      const given = values[flag as keyof typeof minuteFlags];
      return given === undefined ? [] : [[field, Number(given)]];
    });
    const change = {
      openingHours,
      ...(values.timezone !== undefined && { timezone: values.timezone }),
      ...(Object.fromEntries(numbers) as Record<string, number>),
    };
    const result = await setHours(ctx, values.workspace, change);
    if (result.kind === 'unknown_workspace') return failWith('There is no such workspace.');
    if (result.kind === 'invalid') return failWith(result.message);
    process.stdout.write(`${JSON.stringify(result.hours, null, 2)}\n`);
    return 0;
  });
}

type Hours = readonly (readonly [string, string] | null)[];

/** What cannot be read, as text. */
function changeDays(present: Hours, changes: readonly string[]): Hours | string {
  const changed = [...present];
  for (const change of changes) {
    const read = /^([a-z]{3})(?:-([a-z]{3}))?=(?:(closed)|(\d\d:\d\d)-(\d\d:\d\d))$/.exec(change);
    const first = days.indexOf(read?.[1] ?? '');
    const last = read?.[2] === undefined ? first : days.indexOf(read[2]);
    if (!read || first < 0 || last < 0) return `Cannot read ${change}: write mon-fri=09:00-17:00.`;
    const hours = read[3] ? null : ([read[4] ?? '', read[5] ?? ''] as const);
    for (let day = first; ; day = (day + 1) % days.length) {
      changed[day] = hours;
      if (day === last) break;
    }
  }
  return changed;
}

function failWith(message: string): number {
  process.stderr.write(`${message}\n`);
  return 1;
}
