// Lists, page by page.
import type { OrderList, OrderStatus, OrderSummary } from './generated/api.ts';

export interface ListQuery {
  /** Only orders with this status, or with one of these. */
  readonly status?: OrderStatus | readonly OrderStatus[];
  /** Only orders that changed at this time or later. */
  readonly since?: Date | string;
  readonly agent_id?: string;
  /** Orders per page, 1 to 100. */
  readonly limit?: number;
  /** `next_cursor` of the page before. */
  readonly cursor?: string;
}

/** The query string of a list, with its question mark; empty when nothing is asked. */
export function searchOf({ status, since, ...others }: ListQuery): string {
  const asked = {
    status: status === undefined ? undefined : [status].flat().join(','),
    since: since instanceof Date ? since.toISOString() : since,
    ...others,
  };
  const given = Object.entries(asked).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return given.length > 0 ? `?${search}` : '';
}

/** Fetches the next page only when the loop asks for more. */
export async function* listEach(
  query: Omit<ListQuery, 'cursor'>,
  fetchPage: (query: ListQuery) => Promise<OrderList>,
): AsyncGenerator<OrderSummary, void, void> {
  let page: ListQuery | null = query;
  while (page) {
    const { orders, next_cursor: cursor }: OrderList = await fetchPage(page);
    yield* orders;
    page = cursor === null ? null : { ...query, cursor };
  }
}
