// Which methods a path takes, gathered from the routes themselves, so that 405 and `Allow` need no
// list of their own.

export interface KnownPaths {
  add(url: string, method: string | readonly string[]): void;
  /** Value of the `Allow` header; null when nothing is at this path. */
  methodsOf(url: string): string | null;
}

export function knownPaths(): KnownPaths {
  const methodsByUrl = new Map<
    string,
    { readonly pattern: RegExp; readonly methods: Set<string> }
  >();
  return {
    add(url, method) {
      // A wildcard route serves files; a path under it is not known to exist.
      if (url.includes('*')) return;
      const known = methodsByUrl.get(url) ?? {
        pattern: patternOf(url),
        methods: new Set<string>(),
      };
      for (const name of [method].flat()) known.methods.add(name);
      methodsByUrl.set(url, known);
    },
    methodsOf(url) {
      const path = readPath(url);
      if (path === null) return null;
      const methods = [...methodsByUrl.values()]
        .filter(({ pattern }) => pattern.test(path))
        .flatMap((known) => [...known.methods]);
      return methods.length > 0 ? [...new Set(methods)].toSorted().join(', ') : null;
    },
  };
}

/** A route such as `/v1/orders/:order_id`; a parameter never spans a slash. */
function patternOf(url: string): RegExp {
  const source = url
    .split(/:\w+/)
    .map((fixed) => fixed.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
    .join('[^/]+');
  return new RegExp(`^${source}$`);
}

function readPath(url: string): string | null {
  try {
    return decodeURI(url.split('?', 1)[0] ?? '');
  } catch {
    return null;
  }
}
