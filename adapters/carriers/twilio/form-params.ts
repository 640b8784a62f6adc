// The fields of a form that Twilio posts.

export type FormParams = Readonly<Record<string, string | string[]>>;

/** Empty when the field is missing or repeated. */
export function textOf(value: string | string[] | undefined): string {
  return typeof value === 'string' ? value : '';
}
