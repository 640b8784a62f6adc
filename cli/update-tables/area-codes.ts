// The two tables of area codes, made from NANPA's report. Pure.
import type { NpaReport, NpaRow } from './npa-report.ts';

export interface AreaCode {
  readonly states: readonly string[];
  readonly zones: readonly string[];
  readonly split: boolean;
  readonly in_service: boolean;
  readonly in_service_date: string | null;
  readonly overlay: readonly string[];
  readonly nanpa_time_zone: string;
}

export type AreaCodes = Readonly<Record<string, AreaCode>>;

export interface NanpClass {
  readonly class: string;
  readonly error: 'invalid_phone' | 'unsupported_destination' | null;
  readonly detail: string;
  readonly in_service_date?: string | null;
}

const territories = new Set(['PR', 'USVI', 'VI', 'GU', 'CNMI', 'MP', 'AS']);

const zoneOfLetter: Readonly<Record<string, string>> = {
  E: 'America/New_York',
  C: 'America/Chicago',
  M: 'America/Denver',
  P: 'America/Los_Angeles',
};

/** Where the report's letter is not all of the truth; each with its reason. */
const zoneCorrections: Readonly<Record<string, readonly string[]>> = {
  // West of 169.5 degrees the Aleutians keep Hawaii-Aleutian time with daylight saving.
  907: ['America/Anchorage', 'America/Adak'],
  // The Navajo Nation observes daylight saving, the rest of Arizona does not.
  928: ['America/Phoenix', 'America/Denver'],
};

const months = 'JanFebMarAprMayJunJulAugSepOctNovDec';

/** The codes of the 50 states and DC. What the report does not tell is kept from the table before. */
export function buildAreaCodes(report: NpaReport, before: AreaCodes): AreaCodes {
  const rows = report.rows.filter(isState);
  const zonesOf = new Map(rows.map((row) => [row.NPA_ID, zonesOfRow(row)]));
  return Object.fromEntries(
    rows.map((row) => {
      const code = row.NPA_ID;
      const overlay = row.OVERLAY_COMPLEX.match(/\d{3}/g) ?? [code];
      // Overlays cover the same ground, so what one of them has, all have.
      const zones = new Set(overlay.flatMap((partner) => zonesOf.get(partner) ?? []));
      const known = before[code];
      return [
        code,
        {
          ...known,
          states: [row.LOCATION],
          zones: inKnownOrder([...zones], known?.zones ?? []),
          split: zones.size > 1,
          in_service: row.IN_SERVICE === 'Y',
          in_service_date: isoDate(row.IN_SERVICE_DT),
          overlay,
          nanpa_time_zone: row.TIME_ZONE,
        },
      ];
    }),
  );
}

/** What every code is, and the answer that a number in it gets. */
export function buildClasses(report: NpaReport): Readonly<Record<string, NanpClass>> {
  return Object.fromEntries(report.rows.map((row) => [row.NPA_ID, classOf(row)]));
}

function classOf(row: NpaRow): NanpClass {
  const { EXPLANATION: explanation, LOCATION: location, COUNTRY: country, SERVICE: service } = row;
  if (row.ASSIGNED === 'Yes') return assignedClass(row);
  if (explanation === 'N11 Code') return noPhone('n11', 'N11 service code');
  if (explanation === 'Expansion Code') return noPhone('n9x_expansion', 'N9X expansion code');
  if (row.RESERVED === 'Yes') return noPhone('reserved', explanation || 'reserved');
  if (explanation) return noPhone('not_assignable', explanation);
  if (location || country || service) throw new Error(`${row.NPA_ID} is of no known class.`);
  return noPhone('unassigned', 'unassigned');
}

function assignedClass(row: NpaRow): NanpClass {
  const { LOCATION: location, COUNTRY: country, SERVICE: service } = row;
  if (isState(row)) {
    const opensLater = row.IN_SERVICE !== 'Y' && { in_service_date: isoDate(row.IN_SERVICE_DT) };
    return { class: 'us_state', error: null, detail: location, ...opensLater };
  }
  if (row.USE === 'G') {
    if (country === 'US') return notCalled('us_territory', location);
    return notCalled(country === 'CANADA' ? 'canada' : 'other_country', location);
  }
  if (country === 'CANADA')
    return notCalled('canada_nongeographic', service || 'Canadian Non-Geographic Services');
  if (row.NPA_ID.startsWith('5')) return notCalled('nongeographic_5xx', service);
  if (row.NPA_ID.startsWith('8')) return notCalled('toll_free', service);
  const special: Readonly<Record<string, string>> = {
    700: 'interexchange_carrier',
    710: 'us_government',
    900: 'premium',
  };
  const found = special[row.NPA_ID];
  if (!found) throw new Error(`${row.NPA_ID} is of no known class.`);
  return notCalled(found, service);
}

function isState(row: NpaRow): boolean {
  return (
    row.ASSIGNED === 'Yes' &&
    row.USE === 'G' &&
    row.COUNTRY === 'US' &&
    /^[A-Z]{2,4}$/.test(row.LOCATION) &&
    !territories.has(row.LOCATION)
  );
}

/** Throws when the zone is written in a way that nobody has read yet: a guess would ring at night. */
function zonesOfRow(row: NpaRow): readonly string[] {
  const corrected = zoneCorrections[row.NPA_ID];
  if (corrected) return corrected;
  const written = row.TIME_ZONE;
  if (row.LOCATION === 'HI') return ['Pacific/Honolulu'];
  if (row.LOCATION === 'AZ' && written === 'M') return ['America/Phoenix'];
  // 775: "PT/MT only for W Wendover".
  const letters = written.startsWith('PT/MT') ? 'PM' : written;
  const zones = Array.from(letters, (letter) => zoneOfLetter[letter]).filter(
    (zone) => zone !== undefined,
  );
  if (zones.length === 0 || zones.length !== letters.length)
    throw new Error(`The time zone of ${row.NPA_ID} cannot be read: ${written}`);
  return zones;
}

/** The first zone is the one most people live in, which the report does not tell. */
function inKnownOrder(zones: readonly string[], known: readonly string[]): readonly string[] {
  return [
    ...known.filter((zone) => zones.includes(zone)),
    ...zones.filter((zone) => !known.includes(zone)),
  ];
}

function isoDate(written: string): string | null {
  if (written === '') return null;
  const match = /^(\d\d)-([A-Z][a-z]{2})-(\d{4})$/.exec(written);
  const month = match?.[2] ? months.indexOf(match[2]) : -1;
  if (!match || month % 3 !== 0) throw new Error(`A date cannot be read: ${written}`);
  return `${match[3]}-${String(month / 3 + 1).padStart(2, '0')}-${match[1]}`;
}

function noPhone(name: string, detail: string): NanpClass {
  return { class: name, error: 'invalid_phone', detail };
}

function notCalled(name: string, detail: string): NanpClass {
  return { class: name, error: 'unsupported_destination', detail };
}
