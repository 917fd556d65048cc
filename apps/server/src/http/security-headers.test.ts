/** Tests which third-party hosts a page may use: none unless chat or analytics are configured. Inline scripts are never allowed. */
import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import type { Site } from '../app-deps.ts';
import { toAnalyticsScript, createChat } from '../start/page-scripts.ts';
import { systemClock } from '@portal/domain/clock.ts';
import { allowStyles, listStyleHashes, sendSecurityHeaders } from './security-headers.ts';

const BARE_SITE: Site = {
  brand: 'Tidewater',
  publicUrl: 'https://portal.example',
  appHost: 'https://portal.example',
  sandboxUrl: null,
  isHmrcSimulated: false,
  sandboxText: '',
  showsDevelopmentPages: false,
  chat: null,
  analytics: null,
  contact: { email: 'support@portal.example', phone: undefined, address: undefined },
  website: { websiteUrl: null, privacyUrl: null },
  hmrcRepaymentAccountUrl: 'https://www.tax.service.gov.uk/x',
  vendorPublicIp: undefined,
  version: '1',
};

/** Returns the policy for a page, or for a call that returns JSON. */
async function getPolicy(site: Partial<Site>, { isCall = false } = {}): Promise<Record<string, string[]>> {
  const app = Fastify();
  await sendSecurityHeaders(app, { ...BARE_SITE, ...site });
  app.get('/', { config: { isCall } }, () => 'page');
  const { headers } = await app.inject('/');
  await app.close();
  const policy = String(headers['content-security-policy']);
  return Object.fromEntries(
    policy.split(';').map((directive) => {
      const [name = '', ...sources] = directive.trim().split(/\s+/);
      return [name, sources];
    }),
  );
}

const ANALYTICS = { containerId: 'GTM-ABC1234', url: 'https://www.googletagmanager.com' };
const HUBSPOT = {
  apiUrl: 'https://api.hubapi.com',
  accessToken: 'hush',
  tokenPath: '/visitor-identification/v3/tokens/create',
  hubId: '123',
  loaderUrl: 'https://js-eu1.hs-scripts.com',
};

describe('the content security policy', () => {
  it('allows no third party if nothing is configured', async () => {
    const policy = await getPolicy({});
    expect(policy).toMatchObject({ 'script-src': ["'self'"], 'connect-src': ["'self'"], 'img-src': ["'self'", 'data:'] });
    expect(policy).not.toHaveProperty('frame-src');
    expect(JSON.stringify(policy)).not.toMatch(/http/);
  });

  it('allows the container and Google Analytics if a container is configured, and no chat', async () => {
    const policy = await getPolicy({ analytics: toAnalyticsScript(ANALYTICS) });
    expect(policy['script-src']).toEqual(["'self'", 'https://www.googletagmanager.com']);
    expect(policy['connect-src']).toEqual([
      "'self'",
      'https://www.googletagmanager.com',
      'https://*.google-analytics.com',
      'https://*.analytics.google.com',
    ]);
    expect(JSON.stringify(policy)).not.toMatch(/hubspot|hs-scripts/);
  });

  it('allows the chat if it is configured, and no analytics', async () => {
    const policy = await getPolicy({ chat: createChat(HUBSPOT, systemClock).script });
    expect(policy['script-src']).toEqual([
      "'self'",
      'https://js-eu1.hs-scripts.com',
      'https://*.usemessages.com',
      'https://*.hsappstatic.net',
    ]);
    expect(policy['frame-src']).toEqual(['https://*.hubspot.com']);
    expect(JSON.stringify(policy)).not.toMatch(/google|hs-analytics/);
  });

  it("allows only a simulator's own origin", async () => {
    const policy = await getPolicy({
      chat: createChat({ ...HUBSPOT, loaderUrl: 'http://localhost:3001/hubspot' }, systemClock).script,
      analytics: toAnalyticsScript({ ...ANALYTICS, url: 'http://localhost:3001/tag-manager' }),
    });
    expect(policy['script-src']).toEqual(["'self'", 'http://localhost:3001']);
    expect(policy['connect-src']).toEqual(["'self'", 'http://localhost:3001']);
    expect(policy).not.toHaveProperty('frame-src');
  });

  it('allows only the style elements of the page itself, unless the chat needs its own', async () => {
    const hash = "'sha256-6hWWMOcF+mJesSJGYhmK2lkIIEw9Xc5XKGLPVzh8yxs='";
    const hashes = listStyleHashes('<html><style>a{color:red}</style><p style="width:1px"><style>a{color:red}</style>');
    expect(hashes).toEqual([hash]);
    const toStyles = (policy: string) => /style-src ([^;]*)/.exec(policy)?.[1];
    expect((await getPolicy({}))['style-src']).toEqual(["'self'"]);
    expect(toStyles(allowStyles("default-src 'self';style-src 'self';style-src-attr 'unsafe-inline'", hashes))).toBe(`'self' ${hash}`);
    const { script: chat } = createChat(HUBSPOT, systemClock);
    expect((await getPolicy({ chat }))['style-src']).toEqual(["'self'", "'unsafe-inline'"]);
    expect(toStyles(allowStyles("style-src 'self' 'unsafe-inline'", hashes))).toBe("'self' 'unsafe-inline'");
  });

  it('prevents a JSON response from loading anything or being framed, whatever is configured', async () => {
    const { script: chat } = createChat(HUBSPOT, systemClock);
    const noSources = ["'none'"];
    expect(await getPolicy({ chat }, { isCall: true })).toEqual({
      'default-src': noSources,
      'base-uri': noSources,
      'frame-ancestors': noSources,
    });
  });

  it('never allows inline scripts or eval', async () => {
    const policy = await getPolicy({ chat: createChat(HUBSPOT, systemClock).script, analytics: toAnalyticsScript(ANALYTICS) });
    expect(policy['script-src']?.join(' ')).not.toMatch(/unsafe|data:|\*(?!\.)/);
    expect(policy['script-src-attr']).toEqual(["'none'"]);
  });
});
