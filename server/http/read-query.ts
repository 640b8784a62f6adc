// The query string of a request -> input of its operation.
import { z } from 'zod';
import { type Operation, pathParameters } from '../../openapi/operation.ts';

/** Signs, exponents, fractions and leading zeros are no plain integers. */
const plainInteger = /^(?:0|[1-9]\d{0,8})$/;

/**
 * Reads what the operation knows and skips the rest. What cannot be right (given twice, empty, not
 * decodable) is handed on as it is: the schema refuses it by name, in its place among the checks.
 */
export function queryReader(operation: Operation): (url: string) => Record<string, unknown> {
  const inPath = new Set(pathParameters(operation));
  const known = new Map(
    Object.entries(operation.input.shape)
      .filter(([name]) => !inPath.has(name))
      .map(([name, schema]) => [name, isInteger(schema)]),
  );
  return (url) => {
    const values: Record<string, unknown> = {};
    const start = url.indexOf('?');
    if (start < 0 || known.size === 0) return values;
    for (const pair of url.slice(start + 1).split('&')) {
      const [name = '', ...rest] = pair.split('=').map(decode);
      const integer = known.get(name);
      if (integer === undefined) continue;
      const value = rest.join('=');
      const read = integer && plainInteger.test(value) ? Number(value) : value;
      values[name] = Object.hasOwn(values, name) ? [values[name], read] : read;
    }
    return values;
  };
}

function isInteger(schema: z.core.$ZodType): boolean {
  return z.toJSONSchema(schema, { io: 'input' }).type === 'integer';
}

/** Unlike a form, a plus sign means itself: timestamps with a zone need not be encoded. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
