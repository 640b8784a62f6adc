// Which way a call or text went, in Twilio's word. Pure.

export function directionOf({ direction }: { readonly direction: 'outbound' | 'inbound' }) {
  return direction === 'inbound' ? 'inbound' : 'outbound-api';
}
