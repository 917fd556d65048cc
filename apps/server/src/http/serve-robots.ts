/** What search engines may read: the landing pages, which alone carry no `noindex`; nothing of the app. Asked for at the host's root. */
import { PAGES, type Page } from '@portal/contract/pages.ts';
import type { FastifyInstance } from 'fastify';
import type { Site } from '../app-deps.ts';

export function serveRobots(app: FastifyInstance, site: Site): void {
  const paths = searchablePaths();
  const robots = robotsText(paths, site);
  const sitemap = sitemapText(paths, site);
  for (const path of ['/robots.txt', '/portal/robots.txt']) {
    // An older build of the web app still brings a file of this name.
    if (app.hasRoute({ method: 'GET', url: path })) continue;
    app.get(path, (_request, reply) =>
      reply.type('text/plain; charset=utf-8').header('cache-control', 'public, max-age=3600').send(robots),
    );
  }
  app.get('/portal/sitemap.xml', (_request, reply) =>
    reply.type('application/xml; charset=utf-8').header('cache-control', 'public, max-age=3600').send(sitemap),
  );
}

/** Each page once, by its own address. */
export function searchablePaths(): string[] {
  const pages: readonly Page[] = Object.values(PAGES);
  return pages.filter(({ access, kind }) => access === 'public' && kind === 'landing').map(({ path }) => `/portal${path}`);
}

function robotsText(paths: readonly string[], { publicUrl }: Site): string {
  // A search engine draws the page, so that it needs the scripts and styles; `$` ends an address, else everything below it would be open too.
  const allowed = [...paths.map((path) => `Allow: ${path}$`), 'Allow: /portal/assets/', 'Allow: /portal/sitemap.xml$'];
  return `User-agent: *\n${allowed.join('\n')}\nDisallow: /\n\nSitemap: ${publicUrl}/portal/sitemap.xml\n`;
}

function sitemapText(paths: readonly string[], { publicUrl }: Site): string {
  const urls = paths.map((path) => `  <url><loc>${publicUrl}${path}</loc></url>`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('\n')}\n</urlset>\n`;
}
