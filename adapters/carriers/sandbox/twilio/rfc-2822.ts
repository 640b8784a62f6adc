// Dates as Twilio's older APIs write them. Pure.

export function rfc2822(date: Date): string;
export function rfc2822(date: Date | null): string | null;
export function rfc2822(date: Date | null): string | null {
  return date && date.toUTCString().replace('GMT', '+0000');
}
