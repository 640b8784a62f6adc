// As much XML as TwiML needs: elements, attributes, text, comments, the five entities. Pure.

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** The words directly inside. */
  readonly text: string;
}

/** The root element, or null when the document is not well formed. */
export function parseXml(document: string): XmlElement | null {
  const top: OpenElement = { name: '', attributes: {}, children: [], text: '' };
  const open = [top];
  let readUntil = 0;
  for (const match of document.trim().matchAll(token)) {
    if (match.index !== readUntil) return null;
    readUntil += match[0].length;
    const { closes, name, attributes, closed, text, plain } = match.groups ?? {};
    const parent = open.at(-1);
    if (closes !== undefined) {
      if (open.pop()?.name !== closes || open.length === 0) return null;
    } else if (name !== undefined && parent) {
      const element = {
        name,
        attributes: readAttributes(attributes ?? ''),
        children: [],
        text: '',
      };
      parent.children.push(element);
      if (!closed) open.push(element);
    } else if (parent) parent.text += plain ?? unescapeXml(text ?? '');
  }
  const complete = readUntil === document.trim().length && open.length === 1;
  return complete && top.children.length === 1 ? (top.children[0] ?? null) : null;
}

interface OpenElement extends XmlElement {
  readonly children: XmlElement[];
  text: string;
}

const token = new RegExp(
  [
    String.raw`<!--[\s\S]*?-->`,
    String.raw`<\?[\s\S]*?\?>`,
    String.raw`<!\[CDATA\[(?<plain>[\s\S]*?)\]\]>`,
    String.raw`</(?<closes>[\w:.-]+)\s*>`,
    String.raw`<(?<name>[\w:.-]+)(?<attributes>(?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)` +
      String.raw`\s*(?<closed>/?)>`,
    String.raw`(?<text>[^<]+)`,
  ].join('|'),
  'g',
);

function readAttributes(text: string): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [, name = '', quoted = ''] of text.matchAll(/([\w:.-]+)\s*=\s*("[^"]*"|'[^']*')/g))
    attributes[name] = unescapeXml(quoted.slice(1, -1));
  return attributes;
}

function unescapeXml(text: string): string {
  return text.replaceAll(/&(?:#(\d+)|#x([\da-f]+)|(amp|lt|gt|quot|apos));/gi, (...match) => {
    const [, decimal, hex, name] = match as (string | undefined)[];
    if (name !== undefined) return entities[name.toLowerCase()] ?? '';
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
  });
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};
