/** Tests the files that search engines find at the host's root and below /portal. */
import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import type { Site } from '../app-deps.ts';
import { searchablePaths, serveRobots } from './serve-robots.ts';

const site = { publicUrl: 'https://portal.example' } as Site;

async function get(path: string) {
  const app = Fastify();
  serveRobots(app, site);
  const answer = await app.inject(path);
  await app.close();
  return answer;
}

describe('robots.txt', () => {
  it('is at the root of the host, where crawlers request it, and below /portal', async () => {
    const [root, below] = [await get('/robots.txt'), await get('/portal/robots.txt')];
    expect(root.headers['content-type']).toContain('text/plain');
    expect(below.body).toBe(root.body);
    expect(root.body).toContain('Disallow: /portal/instant-vat/\n');
    // Crawlers must read a page to see its noindex.
    expect(root.body).not.toContain('Disallow: /\n');
    expect(root.body).not.toContain('/portal/v2');
    expect(root.body).toContain('Sitemap: https://portal.example/portal/sitemap.xml');
  });

  it('lists the indexable pages, none behind login', () => {
    expect(searchablePaths()).toEqual(expect.arrayContaining(['/portal/v2/instant-vat', '/portal/login', '/portal/privacy']));
    for (const closed of [
      '/portal/v2/auth/login',
      '/portal/logout',
      '/portal/v2/auth/link',
      '/portal/v2/instant-vat/steps/about',
      '/portal/v2/instant-vat/dashboard',
      '/portal/admin',
    ])
      expect(searchablePaths()).not.toContain(closed);
  });

  it('links to a sitemap of the same pages', async () => {
    const { body, headers } = await get('/portal/sitemap.xml');
    expect(headers['content-type']).toContain('application/xml');
    expect([...body.matchAll(/<loc>https:\/\/portal\.example([^<]+)<\/loc>/g)].map(([, path]) => path)).toEqual(searchablePaths());
  });
});
