// The adapter of each kind of calendar.
import { builtInCalendar } from '../adapters/calendars/built-in/built-in-calendar.ts';
import { createCalComCalendars } from '../adapters/calendars/cal-com/cal-com-calendar.ts';
import { createGoogleCalendars } from '../adapters/calendars/google/google-calendar.ts';
import type { OpenCalendar } from '../domain/calls/calendar.ts';
import type { Clock } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';

export function createCalendars(
  { google, calComBaseUrl }: Pick<Config, 'google' | 'calComBaseUrl'>,
  clock: Clock,
  limits: { readonly requestTimeoutMs?: number } = {},
): OpenCalendar {
  const openGoogle = createGoogleCalendars({ ...limits, ...google, clock });
  const openCalCom = createCalComCalendars({ ...limits, baseUrl: calComBaseUrl, clock });
  return (connection) => {
    switch (connection.kind) {
      case 'built_in':
        return builtInCalendar;
      case 'google':
        return openGoogle(connection);
      case 'cal_com':
        return openCalCom(connection);
    }
  };
}
