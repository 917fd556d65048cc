/**
 * Allows search engines to read every page, because a page's `noindex` only works if it is read. API routes are disallowed. Crawlers
 * request the file at the host's root.
 */
import { PAGES } from '@portal/contract/pages.ts';
import type { FastifyInstance } from 'fastify';
import type { Site } from '../app-deps.ts';
import { isIndexable } from './page-head.ts';

export function serveRobots(app: FastifyInstance, site: Site): void {
  const paths = listSearchablePaths();
  const robots = renderRobots(site);
  const sitemap = renderSitemap(paths, site);
  for (const path of ['/robots.txt', '/portal/robots.txt']) {
    // An older build of the web app still contains a file with this name.
    if (app.hasRoute({ method: 'GET', url: path })) continue;
    app.get(path, (_request, reply) =>
      reply.type('text/plain; charset=utf-8').header('cache-control', 'public, max-age=3600').send(robots),
    );
  }
  app.get('/portal/sitemap.xml', (_request, reply) =>
    reply.type('application/xml; charset=utf-8').header('cache-control', 'public, max-age=3600').send(sitemap),
  );
}

/** Lists every indexable page once, with its canonical path. */
export function listSearchablePaths(): string[] {
  const pages = Object.entries(PAGES).map(([name, page]) => ({ name, path: page.path, ...('kind' in page ? { kind: page.kind } : {}) }));
  // The login page has two paths; only the canonical one is listed.
  return pages.filter((page) => isIndexable(page) && page.name !== 'loginV2').map(({ path }) => `/portal${path}`);
}

const CALLS = ['/portal/instant-vat/', '/portal/open-tax/', '/portal/operator/', '/portal/admin'];

function renderRobots({ publicUrl }: Site): string {
  return `User-agent: *\n${CALLS.map((path) => `Disallow: ${path}`).join('\n')}\n\nSitemap: ${publicUrl}/portal/sitemap.xml\n`;
}

function renderSitemap(paths: readonly string[], { publicUrl }: Site): string {
  const urls = paths.map((path) => `  <url><loc>${publicUrl}${path}</loc></url>`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('\n')}\n</urlset>\n`;
}
