// The adapter of each kind of calendar.
import { builtInCalendar } from '../adapters/calendars/built-in/built-in-calendar.ts';
import type { OpenCalendar } from '../domain/calls/calendar.ts';

export function createCalendars(): OpenCalendar {
  return (connection) => {
    switch (connection.kind) {
      case 'built_in':
        return builtInCalendar;
      case 'google':
      case 'cal_com':
        throw new Error(connection.kind);
    }
  };
}
