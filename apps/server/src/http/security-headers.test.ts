/** Which other companies' hosts a page may reach: none, unless chat or analytics are set up; inline scripts never. */
import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import type { Site } from '../app-deps.ts';
import { analyticsOf, chatOf } from '../start/page-scripts.ts';
import { systemClock } from '@portal/domain/clock.ts';
import { sendSecurityHeaders } from './security-headers.ts';

const BARE: Site = {
  brand: 'Tidewater',
  publicUrl: 'https://portal.example',
  appHost: 'https://portal.example',
  sandboxUrl: null,
  showsDevelopmentPages: false,
  chat: null,
  analytics: null,
  contact: { email: 'support@portal.example', phone: undefined, address: undefined },
  website: { websiteUrl: null, privacyUrl: null },
  hmrcRepaymentAccountUrl: 'https://www.tax.service.gov.uk/x',
  vendorPublicIp: undefined,
  version: '1',
};

async function policyOf(site: Partial<Site>): Promise<Record<string, string[]>> {
  const app = Fastify();
  await sendSecurityHeaders(app, { ...BARE, ...site });
  app.get('/', () => 'page');
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
  it('lets in nobody else where nothing is set up', async () => {
    const policy = await policyOf({});
    expect(policy).toMatchObject({ 'script-src': ["'self'"], 'connect-src': ["'self'"], 'img-src': ["'self'", 'data:'] });
    expect(policy).not.toHaveProperty('frame-src');
    expect(JSON.stringify(policy)).not.toMatch(/http/);
  });

  it('lets in the container and Google Analytics where a container is set up, and no chat', async () => {
    const policy = await policyOf({ analytics: analyticsOf(ANALYTICS) });
    expect(policy['script-src']).toEqual(["'self'", 'https://www.googletagmanager.com']);
    expect(policy['connect-src']).toEqual([
      "'self'",
      'https://www.googletagmanager.com',
      'https://*.google-analytics.com',
      'https://*.analytics.google.com',
    ]);
    expect(JSON.stringify(policy)).not.toMatch(/hubspot|hs-scripts/);
  });

  it('lets in the chat where it is set up, and no analytics', async () => {
    const policy = await policyOf({ chat: chatOf(HUBSPOT, systemClock).script });
    expect(policy['script-src']).toEqual([
      "'self'",
      'https://js-eu1.hs-scripts.com',
      'https://*.usemessages.com',
      'https://*.hsappstatic.net',
    ]);
    expect(policy['frame-src']).toEqual(['https://*.hubspot.com']);
    expect(JSON.stringify(policy)).not.toMatch(/google|hs-analytics/);
  });

  it('lets a simulator reach its own origin only', async () => {
    const policy = await policyOf({
      chat: chatOf({ ...HUBSPOT, loaderUrl: 'http://localhost:3001/hubspot' }, systemClock).script,
      analytics: analyticsOf({ ...ANALYTICS, url: 'http://localhost:3001/tag-manager' }),
    });
    expect(policy['script-src']).toEqual(["'self'", 'http://localhost:3001']);
    expect(policy['connect-src']).toEqual(["'self'", 'http://localhost:3001']);
    expect(policy).not.toHaveProperty('frame-src');
  });

  it('never lets in inline scripts or text as code', async () => {
    const policy = await policyOf({ chat: chatOf(HUBSPOT, systemClock).script, analytics: analyticsOf(ANALYTICS) });
    expect(policy['script-src']?.join(' ')).not.toMatch(/unsafe|data:|\*(?!\.)/);
    expect(policy['script-src-attr']).toEqual(["'none'"]);
  });
});
