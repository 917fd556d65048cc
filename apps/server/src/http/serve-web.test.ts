// Tests that developer pages exist in development and in tests. In production, they return 404.
import { PAGES } from '@portal/contract/pages.ts';
import fastifyCookie from '@fastify/cookie';
import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import type { Site } from '../app-deps.ts';
import { serveWeb } from './serve-web.ts';

const SITE: Site = {
  brand: 'Tidewater',
  publicUrl: 'http://localhost',
  appHost: 'http://localhost',
  chat: null,
  analytics: null,
  contact: { email: 'support@portal.example', phone: undefined, address: undefined },
  website: { websiteUrl: null, privacyUrl: null },
  sandboxUrl: null,
  isHmrcSimulated: false,
  sandboxText: '',
  showsDevelopmentPages: false,
  hmrcRepaymentAccountUrl: 'http://localhost',
  vendorPublicIp: undefined,
  version: '0.0.0-test',
};

async function getStatus(path: string, showsDevelopmentPages: boolean): Promise<number> {
  const app = Fastify();
  await app.register(fastifyCookie);
  await serveWeb(app, { ...SITE, showsDevelopmentPages }, '/nowhere');
  const { statusCode } = await app.inject({ url: `/portal${path}`, headers: { accept: 'text/html' } });
  await app.close();
  return statusCode;
}

describe('the page of all components', () => {
  it.each([
    [true, 200],
    [false, 404],
  ])('with development pages shown (%s) returns %i', async (shows, status) => {
    expect(await getStatus(PAGES.devComponents.path, shows)).toBe(status);
    expect(await getStatus(`${PAGES.devComponents.path}/`, shows)).toBe(status);
  });

  it("doesn't affect other pages", async () => {
    expect([await getStatus('/login', false), await getStatus('/login', true), await getStatus('/dev/other', true)]).toEqual([
      200, 200, 404,
    ]);
  });
});
