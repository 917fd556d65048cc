/** Tests the files that search engines find at the host's root and below /portal. */
import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import type { Site } from '../app-deps.ts';
import { listSearchablePaths, serveRobots } from './serve-robots.ts';

const site = { publicUrl: 'https://portal.example' } as Site;

async function get(path: string) {
  const app = Fastify();
  serveRobots(app, site);
  const response = await app.inject(path);
  await app.close();
  return response;
}

describe('robots.txt', () => {
  it('is at the root of the host, where crawlers request it, and below /portal', async () => {
    const [rootResponse, belowResponse] = [await get('/robots.txt'), await get('/portal/robots.txt')];
    expect(rootResponse.headers['content-type']).toContain('text/plain');
    expect(belowResponse.body).toBe(rootResponse.body);
    expect(rootResponse.body).toContain('Disallow: /portal/instant-vat/\n');
    // Crawlers must read a page to see its noindex.
    expect(rootResponse.body).not.toContain('Disallow: /\n');
    expect(rootResponse.body).not.toContain('/portal/v2');
    expect(rootResponse.body).toContain('Sitemap: https://portal.example/portal/sitemap.xml');
  });

  it('lists the indexable pages, none behind login', () => {
    expect(listSearchablePaths()).toEqual(expect.arrayContaining(['/portal/v2/instant-vat', '/portal/login', '/portal/privacy']));
    for (const closedPath of [
      '/portal/v2/auth/login',
      '/portal/logout',
      '/portal/v2/auth/link',
      '/portal/v2/instant-vat/steps/about',
      '/portal/v2/instant-vat/dashboard',
      '/portal/admin',
    ])
      expect(listSearchablePaths()).not.toContain(closedPath);
  });

  it('links to a sitemap of the same pages', async () => {
    const { body, headers } = await get('/portal/sitemap.xml');
    expect(headers['content-type']).toContain('application/xml');
    expect([...body.matchAll(/<loc>https:\/\/portal\.example([^<]+)<\/loc>/g)].map(([, path]) => path)).toEqual(listSearchablePaths());
  });
});
