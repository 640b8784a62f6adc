// `svc calendar connect`: credentials come from a file, so that they stand in no process list and no shell history.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { connectCalendar, type ConnectResult } from '../../domain/appointments/connect-calendar.ts';
import type { CalendarConnection } from '../../domain/calls/calendar.ts';
import { onRunningSystem } from '../on-running-system.ts';

type Connection = CalendarConnection & { readonly settings: object };
type Flags = ReturnType<typeof readFlags>['values'];

export async function connectCalendarCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = readFlags(args);
  const connection = connectionOf(positionals[0], values);
  if (typeof connection === 'string') {
    process.stderr.write(`${connection}\n`);
    return 2;
  }
  return onRunningSystem(async (ctx) => {
    const result = await connectCalendar(ctx, values.workspace, connection);
    const done = result.kind === 'connected';
    (done ? process.stdout : process.stderr).write(`${describe(result)}\n`);
    return done ? 0 : 1;
  });
}

function readFlags(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      workspace: { type: 'string', default: 'wsp_demo' },
      credentials: { type: 'string' },
      calendar: { type: 'string', default: 'primary' },
      'event-type': { type: 'string', default: '' },
      'attendee-email': { type: 'string', default: '' },
      'several-lengths': { type: 'boolean', default: false },
    },
  });
}

/** What is missing, as text. */
function connectionOf(kind: string | undefined, flags: Flags): Connection | string {
  if (kind === 'built-in') return { kind: 'built_in', settings: {}, credentials: null };
  if (kind !== 'google' && kind !== 'cal-com')
    return 'Name the calendar: built-in, google or cal-com.';
  if (flags.credentials === undefined) return 'Name the file: --credentials <file>.';
  const credentials = readFileSync(flags.credentials, 'utf8').trim();
  if (kind === 'google') return { kind, settings: { calendarId: flags.calendar }, credentials };
  return {
    kind: 'cal_com',
    settings: {
      eventTypeId: Number(flags['event-type']),
      attendeeEmail: flags['attendee-email'],
      severalLengths: flags['several-lengths'],
    },
    credentials: JSON.stringify({ apiKey: credentials }),
  };
}

function describe(result: ConnectResult): string {
  switch (result.kind) {
    case 'connected':
      return `Connected; ${result.freeSlots} free times of half an hour in the coming days.`;
    case 'unknown_workspace':
      return 'There is no such workspace.';
    case 'invalid':
      return result.message;
    case 'refused':
      return `The calendar did not answer as it should (${result.problem}); nothing was changed.`;
  }
}
