// Our reference, as Telnyx wants it: base64. It comes back with every event of the call. Pure.

export function clientStateOf(reference: string): string {
  return Buffer.from(reference).toString('base64');
}
