// What we answer to STOP, START and HELP. Pure.

export interface Answered {
  readonly businessName: string;
  /** Whom to ask; the number that was texted. */
  readonly callerNumber: string;
}

/** One confirmation, without a word of advertising. */
export function stopConfirmation({ businessName }: Answered): string {
  return `${businessName}: you are opted out and will get no more calls or texts from us. Reply START to opt in again.`;
}

export function startConfirmation({ businessName }: Answered): string {
  return `${businessName}: you are opted in again. Reply STOP to opt out, HELP for help.`;
}

export function helpText({ businessName, callerNumber }: Answered): string {
  return `${businessName}: calls and texts about your request, from ${callerNumber}. Message and data rates may apply. Reply STOP to opt out.`;
}
