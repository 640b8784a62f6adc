// The bytes of a body in its sender's shape -> an object: JSON, a form, or the fields of a multipart form.
import { AppError } from '../../domain/app-error.ts';
import type { ErrorCode } from '../../openapi/errors.ts';

const limits = {
  /** Deeper than any form; what walks a body may then recurse. */
  depthMax: 64,
} as const;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Throws AppError with the given code. JSON is read whatever the type says, as many tools never set it. */
export async function parseFreeBody(
  bytes: Buffer,
  contentType: string,
  unreadable: ErrorCode,
): Promise<object> {
  const body = /^\s*multipart\/form-data\b/i.test(contentType)
    ? await readMultipart(bytes, contentType)
    : (readJson(bytes) ?? readForm(bytes, contentType));
  if (!body || isDeeperThan(body, limits.depthMax)) throw new AppError(unreadable);
  return body;
}

function readJson(bytes: Buffer): object | null {
  try {
    const value: unknown = JSON.parse(utf8.decode(bytes));
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

function readForm(bytes: Buffer, contentType: string): object | null {
  if (!/^\s*application\/x-www-form-urlencoded\b/i.test(contentType)) return null;
  return bytes.length > 0 ? fieldsOf(new URLSearchParams(bytes.toString('utf8'))) : null;
}

/** Files are skipped. */
async function readMultipart(bytes: Buffer, contentType: string): Promise<object | null> {
  try {
    const response = new Response(new Uint8Array(bytes), {
      headers: { 'content-type': contentType },
    });
    const form = await response.formData();
    return fieldsOf(
      [...form].filter((field): field is [string, string] => typeof field[1] === 'string'),
    );
  } catch {
    return null;
  }
}

/** A name that comes several times has a list of values; no name can be the prototype's. */
function fieldsOf(pairs: Iterable<[string, string]>): object {
  const grouped = Map.groupBy(pairs, ([name]) => name);
  const fields = [...grouped].map(([name, values]): [string, string | string[]] => [
    name,
    values.length === 1 ? (values[0]?.[1] ?? '') : values.map(([, value]) => value),
  ]);
  return Object.fromEntries(fields);
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((child) => isDeeperThan(child, levels - 1));
}
