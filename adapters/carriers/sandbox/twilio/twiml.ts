// What a TwiML document asks for, as far as the sandbox can do it. Pure.
import { parseXml, type XmlElement } from './xml.ts';

export type Verb =
  | {
      readonly kind: 'stream';
      readonly url: string;
      readonly parameters: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'pause'; readonly seconds: number }
  | { readonly kind: 'say'; readonly text: string }
  /** As the first verb of an incoming call it leaves the call unanswered. */
  | { readonly kind: 'reject'; readonly reason: 'busy' | 'rejected' }
  | { readonly kind: 'hang_up' }
  | { readonly kind: 'not_here'; readonly name: string };

/** Null when it is not a TwiML document. */
export function parseTwiml(document: string): Verb[] | null {
  const root = parseXml(document);
  return root?.name === 'Response' ? root.children.map(readVerb) : null;
}

function readVerb(element: XmlElement): Verb {
  switch (element.name) {
    case 'Connect':
      return readStream(element) ?? { kind: 'not_here', name: 'Connect' };
    case 'Pause':
      return {
        kind: 'pause',
        seconds: Math.max(1, Number(element.attributes['length'] ?? 1) || 1),
      };
    case 'Say':
      return { kind: 'say', text: element.text.trim() };
    case 'Reject':
      return {
        kind: 'reject',
        reason: element.attributes['reason'] === 'busy' ? 'busy' : 'rejected',
      };
    case 'Hangup':
      return { kind: 'hang_up' };
    default:
      return { kind: 'not_here', name: element.name };
  }
}

function readStream(connect: XmlElement): Verb | null {
  const stream = connect.children.find((child) => child.name === 'Stream');
  const url = stream?.attributes['url'];
  if (!stream || !url) return null;
  const parameters = stream.children
    .filter((child) => child.name === 'Parameter')
    .map(({ attributes }) => [attributes['name'] ?? '', attributes['value'] ?? ''] as const);
  return { kind: 'stream', url, parameters: Object.fromEntries(parameters) };
}
