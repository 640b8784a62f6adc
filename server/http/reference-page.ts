// The reference page at /docs: everything it loads comes from our own origin.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import fastify, { type FastifyInstance } from 'fastify';

const scriptPath = '/docs/scalar.js';

interface ReferencePage {
  readonly html: string;
  readonly script: { readonly plain: string; readonly gzipped: Buffer; readonly etag: string };
}

export function registerReferencePage(app: FastifyInstance): void {
  // The bundle has megabytes; who never opens the page never loads it.
  let rendered: Promise<ReferencePage> | undefined;
  const render = () => (rendered ??= renderPage());

  app.get('/docs', async (_request, reply) => {
    const { html } = await render();
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', contentPolicy(html))
      .header('referrer-policy', 'no-referrer')
      .header('x-content-type-options', 'nosniff')
      .send(html);
  });

  app.get(scriptPath, async (request, reply) => {
    const { script } = await render();
    reply.header('etag', script.etag).header('cache-control', 'no-cache');
    if (request.headers['if-none-match'] === script.etag) return reply.code(304).send();
    reply.type('text/javascript; charset=utf-8').header('vary', 'accept-encoding');
    const takesGzip = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(
      String(request.headers['accept-encoding'] ?? ''),
    );
    if (!takesGzip) return reply.send(script.plain);
    return reply.header('content-encoding', 'gzip').send(script.gzipped);
  });
}

/** Scalar renders as a plugin; a server that never listens asks it for its two answers. */
async function renderPage(): Promise<ReferencePage> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const renderer = fastify({ logger: false });
  await renderer.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      cdn: scriptPath,
      pageTitle: 'Lead calling API',
      telemetry: false,
      withDefaultFonts: false,
      hideClientButton: true,
      showDeveloperTools: 'never',
      agent: { disabled: true },
      mcp: { disabled: true },
    },
  });
  const [page, bundle] = [
    await renderer.inject('/docs/'),
    await renderer.inject('/docs/js/scalar.js'),
  ];
  await renderer.close();
  if (page.statusCode !== 200 || bundle.statusCode !== 200)
    throw new Error('The reference page could not be rendered.');
  return {
    html: page.body,
    script: {
      plain: bundle.body,
      gzipped: await promisify(gzip)(bundle.body),
      etag: `"${createHash('sha256').update(bundle.body).digest('base64url').slice(0, 16)}"`,
    },
  };
}

/** What the page may do: its own scripts and our API, nobody else's anything. */
function contentPolicy(html: string): string {
  const inline = Array.from(
    html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g),
    ([, code = '']) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`,
  );
  return [
    "default-src 'none'",
    ["script-src 'self'", ...inline].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
