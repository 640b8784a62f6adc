// Who calls, as far as the network tells.

/** Stands in place of a number for a caller who withheld it, on the wire and in the tables. */
export const anonymousCaller = 'anonymous';

export type Direction = 'outbound' | 'inbound';
