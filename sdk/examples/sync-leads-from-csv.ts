// Orders a call for each row of a CSV file; running it again orders nothing twice.
//   SVC_API_KEY=svc_test_… SVC_BASE_URL=https://… node sync-leads-from-csv.ts agt_… leads.csv
// Columns: id, phone, first_name, context, consented_at, source.
import { readFile } from 'node:fs/promises';
// In your own program: from '@svc/sdk'.
import { ApiError, type Client, createClient } from '../src/index.ts';

export interface SyncResult {
  readonly row: Readonly<Record<string, string>>;
  readonly orderId?: string;
  /** The code of the API, when the row was refused. */
  readonly refused?: string;
}

/** Yields each row as it is done. Stops at what concerns every row: a bad key, an empty wallet. */
export async function* syncLeads(
  client: Client,
  agentId: string,
  csv: string,
): AsyncGenerator<SyncResult, void, void> {
  for (const row of readRows(csv)) {
    try {
      const { order_id: orderId } = await client.orders.create(
        {
          agent_id: agentId,
          lead: {
            phone: row['phone'] ?? '',
            first_name: row['first_name'] || null,
            custom_context: row['context'] || null,
          },
          consent: {
            opt_in_confirmed: true,
            consented_at: row['consented_at'] ?? '',
            source: row['source'] ?? '',
          },
          external_reference_id: row['id'] ?? null,
        },
        // The row's own id, so that a second run finds the orders of the first.
        { idempotencyKey: `csv-${row['id']}` },
      );
      yield { row, orderId };
    } catch (error) {
      if (!(error instanceof ApiError) || !concernsOneLead(error)) throw error;
      yield { row, refused: error.code };
    }
  }
}

function concernsOneLead({ status, code }: ApiError): boolean {
  return status === 400 || status === 422 || code === 'do_not_contact';
}

/** RFC 4180: quoted fields may hold commas, quotes and line ends. */
export function readRows(csv: string): Record<string, string>[] {
  const records: string[][] = [[]];
  for (const [, quoted, plain = '', end] of csv
    .trim()
    .matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    records.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === '') break;
    if (end !== ',') records.push([]);
  }
  const [names = [], ...rows] = records;
  return rows.map((row) =>
    Object.fromEntries(names.map((name, index) => [name, row[index] ?? ''])),
  );
}

if (import.meta.main) {
  const [agentId = '', file = ''] = process.argv.slice(2);
  const client = createClient({
    apiKey: process.env['SVC_API_KEY'] ?? '',
    baseUrl: process.env['SVC_BASE_URL'] ?? '',
  });
  for await (const { row, orderId, refused } of syncLeads(
    client,
    agentId,
    await readFile(file, 'utf8'),
  ))
    console.log(row['id'], orderId ?? `refused: ${refused}`);
}
