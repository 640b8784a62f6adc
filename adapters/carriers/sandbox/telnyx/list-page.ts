// Lists: one page of the entries and the counts beside it. Pure.

const limits = { pageSizeMax: 250, pageSizeDefault: 20 } as const;

export function pageOf<Entry>(entries: readonly Entry[], url: string) {
  const query = new URL(url, 'http://sandbox').searchParams;
  const asked = Number(query.get('page[size]')) || limits.pageSizeDefault;
  const size = Math.max(1, Math.min(limits.pageSizeMax, Math.trunc(asked)));
  const page = Math.max(1, Math.trunc(Number(query.get('page[number]'))) || 1);
  return {
    data: entries.slice((page - 1) * size, page * size),
    meta: {
      page_number: page,
      page_size: size,
      total_pages: Math.ceil(entries.length / size),
      total_results: entries.length,
    },
  };
}
