// Both vendors' emulators behind one table, and the adapters that talk to them.
import { createCalendars } from '../../compose/create-calendars.ts';
import type { OpenCalendar } from '../../domain/calls/calendar.ts';
import { systemClock } from '../../platform/clock.ts';
import { calComCredentials, calComSettings, fail, startCalComServer } from './cal-com-server.ts';
import { googleCredentials, refuse, startGoogleServer } from './google-server.ts';
import type { VendorAnswer, VendorServer } from './vendor-server.ts';

export type VendorKind = 'google' | 'cal_com';

export interface Vendor {
  readonly credentials: object;
  readonly settings: object;
  readonly server: VendorServer;
  standing(): { readonly id: string; readonly start: string }[];
  /** Somebody books by hand; answers the id. */
  visit(start: string): string;
  /** The access was taken back, and given again. */
  revoke(): void;
  restore(): void;
  readonly operations: Record<'free' | 'book' | 'find' | 'cancel', string>;
  readonly broken: VendorAnswer;
}

export interface Vendors {
  readonly of: Readonly<Record<VendorKind, Vendor>>;
  readonly openCalendar: OpenCalendar;
  close(): void;
}

export async function startVendors(): Promise<Vendors> {
  const [google, calCom] = await Promise.all([startGoogleServer(), startCalComServer()]);
  const app = { clientId: 'client', clientSecret: 'secret', baseUrl: google.url };
  const config = { google: app, calComBaseUrl: calCom.url };
  return {
    // Requests end by real time; only the tables live by a turned clock.
    openCalendar: createCalendars(config, systemClock(), { requestTimeoutMs: 300 }),
    of: {
      google: {
        credentials: googleCredentials,
        settings: {},
        server: google,
        standing: () =>
          google
            .standing()
            .map(({ id, start }) => ({ id: id ?? '', start: start?.dateTime ?? '' })),
        visit(start) {
          const end = new Date(Date.parse(start) + 3_600_000).toISOString();
          const id = `visit${google.events.size}`;
          google.keepEvent({ id, start: { dateTime: start }, end: { dateTime: end } });
          return id;
        },
        revoke: () => google.revoke(),
        restore: () => google.restore(),
        operations: { free: 'freebusy', book: 'insert', find: 'get', cancel: 'delete' },
        broken: refuse(500, 'backendError'),
      },
      cal_com: {
        credentials: calComCredentials,
        settings: calComSettings,
        server: calCom,
        standing: () => calCom.standing().map(({ uid, start }) => ({ id: uid, start })),
        visit: (start) => calCom.keepBooking(start, {}, {}).uid,
        revoke: () => calCom.revoke(),
        restore: () => calCom.restore(),
        operations: { free: 'slots', book: 'book', find: 'list', cancel: 'cancel' },
        broken: fail(500, 'Internal server error'),
      },
    },
    close() {
      google.close();
      calCom.close();
    },
  };
}
