// `svc calendar show|connect|hours`: the calendar in which a workspace's appointments are booked.
import { connectCalendarCommand } from './calendar/connect.ts';
import { calendarHoursCommand } from './calendar/hours.ts';
import { showCalendarCommand } from './calendar/show.ts';

const usage = `svc calendar show [--workspace wsp_demo]
svc calendar connect built-in
svc calendar connect google --credentials <file> [--calendar primary]
  <file>: a service account's key, or {"refresh_token": ...} of a person who gave consent
svc calendar connect cal-com --credentials <file> --event-type <id> --attendee-email <address>
  [--several-lengths]; <file>: the API key
svc calendar hours [mon-fri=09:00-17:00 sat=10:00-14:00 sun=closed ...]
  [--timezone America/New_York] [--every 60] [--before 0] [--after 0] [--notice 60] [--horizon 14]
  all in minutes, the horizon in days
`;

const commands: Record<string, (args: readonly string[]) => Promise<number>> = {
  show: showCalendarCommand,
  connect: connectCalendarCommand,
  hours: calendarHoursCommand,
};

export async function calendarCommand([name = '', ...args]: readonly string[]): Promise<number> {
  const command = commands[name];
  if (command) return command(args);
  process.stderr.write(usage);
  return 2;
}
