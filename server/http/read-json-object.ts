// The bytes of a body -> the JSON object in them.
import { AppError } from '../../domain/app-error.ts';
import type { ErrorCode } from '../../openapi/errors.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Throws AppError with the given code when the body is anything but one JSON object in UTF-8. */
export function readJsonObject(body: unknown, unreadable: ErrorCode): Record<string, unknown> {
  if (!Buffer.isBuffer(body)) throw new AppError(unreadable);
  const value = parse(body, unreadable);
  if (!isObject(value)) throw new AppError(unreadable);
  return value;
}

function parse(body: Buffer, unreadable: ErrorCode): unknown {
  try {
    return JSON.parse(utf8.decode(body));
  } catch (cause) {
    throw new AppError(unreadable, undefined, { cause });
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
