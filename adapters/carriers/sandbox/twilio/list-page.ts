// Lists: filters by number, status and time, and pages with links to their neighbours. Pure.

const limits = { pageSizeMax: 1_000, pageSizeDefault: 50 } as const;

export interface Listed {
  readonly to: string;
  readonly from: string;
  readonly status: string;
  readonly at: Date;
}

/** Twilio puts the comparison into the parameter's name: "StartTime>" with "=2026-01-01". */
export function filterList<Entry>(
  entries: readonly Entry[],
  query: URLSearchParams,
  timeName: string,
  describe: (entry: Entry) => Listed,
): Entry[] {
  const to = query.get('To');
  const from = query.get('From');
  const status = query.get('Status');
  const day = query.get(timeName);
  const after = timeOf(query.get(`${timeName}>`), Number.NEGATIVE_INFINITY);
  const before = timeOf(query.get(`${timeName}<`), Number.POSITIVE_INFINITY);
  return entries.filter((entry) => {
    const listed = describe(entry);
    return (
      (to === null || listed.to === to) &&
      (from === null || listed.from === from) &&
      (status === null || listed.status === status) &&
      (day === null || listed.at.toISOString().startsWith(day.slice(0, 10))) &&
      wholeSeconds(listed.at) >= after &&
      wholeSeconds(listed.at) <= before
    );
  });
}

export function pageOf<Entry>(
  name: 'calls' | 'messages' | 'incoming_phone_numbers',
  entries: readonly Entry[],
  query: URLSearchParams,
  url: string,
) {
  const [path = url] = url.split('?', 1);
  const size = between(1, Number(query.get('PageSize') ?? limits.pageSizeDefault));
  const page = Math.max(0, Number(query.get('Page')) || 0);
  const shown = entries.slice(page * size, (page + 1) * size);
  const uriOf = (number: number) => {
    const linked = new URLSearchParams(query);
    linked.set('Page', `${number}`);
    linked.set('PageSize', `${size}`);
    return `${path}?${linked.toString()}`;
  };
  const isLast = (page + 1) * size >= entries.length;
  return {
    [name]: shown,
    page,
    page_size: size,
    start: page * size,
    end: page * size + Math.max(0, shown.length - 1),
    uri: uriOf(page),
    first_page_uri: uriOf(0),
    previous_page_uri: page > 0 ? uriOf(page - 1) : null,
    next_page_uri: isLast ? null : uriOf(page + 1),
  };
}

function between(min: number, size: number): number {
  return Math.max(min, Math.min(limits.pageSizeMax, Math.trunc(size) || limits.pageSizeDefault));
}

/** Twilio's times have whole seconds, so a call is found by the second it was placed in. */
function wholeSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1_000) * 1_000;
}

function timeOf(text: string | null, otherwise: number): number {
  if (text === null) return otherwise;
  const time = Date.parse(text);
  return Number.isNaN(time) ? otherwise : Math.floor(time / 1_000) * 1_000;
}
