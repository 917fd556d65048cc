// Whatever URL users enter, they get one of our HTML pages, never JSON or a raw server error.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { buildApp } from '../build-app.ts';
import { openTestPortal, type TestPortal } from '../testing/open-test-portal.ts';
import { rewriteUndecodableUrl } from './unusual-urls.ts';
import { NO_JOBS } from '../testing/no-jobs.ts';

const distDir = mkdtempSync(join(tmpdir(), 'unusual-urls-'));
let portal: TestPortal;
let app: FastifyInstance;

beforeAll(async () => {
  for (const file of ['index.html', 'landing.html', 'login.html', 'dashboard.html'])
    writeFileSync(join(distDir, file), `<!doctype html><p>Drawn: ${file}`);
  portal = await openTestPortal();
  app = await buildApp(portal.deps, {
    trustProxy: false,
    validateOutputs: true,
    distDir,
    checkReady: async () => ({}),
    ...NO_JOBS,
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
});

afterAll(async () => {
  await app.close();
  await portal.close();
  rmSync(distDir, { recursive: true });
});

/** Sends the target exactly as written, which no client library would do. */
function sendRaw(target: string, headers = 'Accept: text/html', to = app): Promise<{ status: number; head: string; body: string }> {
  const { port } = to.server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(`GET ${target} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\nConnection: close\r\n\r\n`, 'latin1'),
    );
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => {
      const [head = '', ...body] = Buffer.concat(chunks).toString('utf8').split('\r\n\r\n');
      resolve({ status: Number(head.split(' ')[1]), head: head.toLowerCase(), body: body.join('\r\n\r\n') });
    });
  });
}

const NOT_FOUND_URLS = [
  '/portal/%zz',
  '/portal/%E0%A4%A',
  '/portal/%',
  '/portal/%%%',
  '/portal/100%25%',
  '/portal/%00',
  '/portal/v2%2Finstant-vat',
  '/portal/v2/instant-vat%2F',
  '/portal/..%2f..%2fetc%2fpasswd',
  '/portal/%2e%2e/%2e%2e/etc/passwd',
  '/portal/../../etc/passwd',
  '/portal//evil.example',
  '/portal/v2//instant-vat',
  '/portal/\\evil.example',
  '/portal/%0d%0aSet-Cookie:%20a=b',
  '/portal/%1b[31m',
  '/portal/%ff%fe',
  '/portal/%ED%A0%80',
  '/portal/<script>alert(1)</script>',
  '/portal/__proto__',
  '/portal/constructor',
  '/portal/v2/instant-vat;jsessionid=1',
  '/portal/v2/auth/provider/%zz',
  '/portal/v2/auth/provider/unknown',
  '/portal/v2/auth/callback/%00',
  '/portal/google_signup?partner=%00',
  '/portal/open-tax/calendar/%zz.ics',
  `/portal/${'a'.repeat(8000)}`,
  `/portal/${'a/'.repeat(4000)}`,
];

const PAGE_URLS: [string, string][] = [
  ['/portal/v2/instant-vat?partner=%00', 'landing.html'],
  ['/portal/v2/instant-vat?partner=%zz', 'landing.html'],
  ['/portal/v2/instant-vat?%', 'landing.html'],
  ['/portal/v2/instant-vat?partner[]=a&partner[]=b&__proto__[x]=1', 'landing.html'],
  ['/portal/v2/instant-vat?partner=../../../../etc/passwd', 'landing.html'],
  ['/portal/login?next=%00', 'login.html'],
  ['/portal/login?next=//evil.example', 'login.html'],
  ['/portal/v2/instant-vat/demo?story=%00&at=%zz', 'index.html'],
  ['/portal/v2/instant-vat/dashboard?company_id=%00', 'dashboard.html'],
  ['/portal/v2/instant-vat/dashboard?company_id=%ED%A0%80', 'dashboard.html'],
  [`/portal/v2/instant-vat/help?q=${'x'.repeat(12_000)}`, 'index.html'],
  [`/portal/v2/instant-vat?${'a=1&'.repeat(3000)}`, 'landing.html'],
];

describe('a URL that matches no page', () => {
  it.each(NOT_FOUND_URLS)('returns the designed not-found page: %s', async (target) => {
    const { status, head, body } = await sendRaw(target);
    expect([status, body]).toEqual([404, expect.stringContaining('Drawn: index.html')]);
    expect(head).toContain('content-type: text/html');
    expect(head).toContain('content-security-policy: default-src');
    expect(head).not.toMatch(/^set-cookie: a=b/m);
  });

  it.each(['/portal/%zz', '/portal/v2/auth/provider/unknown'])(
    "returns problem JSON to a client that doesn't accept HTML: %s",
    async (target) => {
      const { status, head } = await sendRaw(target, 'Accept: application/json');
      expect(status).toBeGreaterThanOrEqual(400);
      expect(head).toContain('content-type: application/problem+json');
    },
  );
});

describe('a page', () => {
  it.each(PAGE_URLS)('opens with any query string: %s', async (target, file) => {
    expect(await sendRaw(target)).toMatchObject({ status: 200, body: expect.stringContaining(`Drawn: ${file}`) as string });
  });

  it.each([
    ['/dashboard?company_id=c1', '/portal/home?company_id=c1'],
    ['/dashboard/?company_id=c1', '/portal/home?company_id=c1'],
    ['/dashboard', '/portal/home'],
    ['/home?company_id=c1', '/portal/home?company_id=c1'],
    ['/logout', '/portal/logout'],
    ['//evil.example/%2f..', '/portal//evil.example/%2f..'],
  ])('redirects from a path outside /portal and keeps the query: %s', async (target, location) => {
    const { status, head } = await sendRaw(target);
    expect(status).toBe(302);
    expect(/^location: (.*)$/m.exec(head)?.[1]?.trim()).toBe(location);
  });
});

describe('a request that cannot be parsed', () => {
  it.each([
    ['a query longer than a request may be', `/portal/v2/instant-vat?q=${'x'.repeat(70_000)}`, 431, 'This web address is too long'],
    ['a control character', '/portal/\u0001', 400, 'We can’t read this web address'],
    ['letters that are not escaped', '/portal/ünï', 400, 'We can’t read this web address'],
    ['a space', '/portal/a b', 400, 'We can’t read this web address'],
  ])('returns a self-contained error page: %s', async (_case, target, status, heading) => {
    const rawResponse = await sendRaw(target);
    expect([rawResponse.status, rawResponse.body]).toEqual([status, expect.stringContaining(`<h1>${heading}</h1>`)]);
    expect(rawResponse.head).toContain("default-src 'none'");
  });
});

it('a page over https keeps the browser on https, even for a request that cannot be parsed', async () => {
  const site = { ...portal.deps.site, publicUrl: 'https://portal.example' };
  const secure = await buildApp(
    { ...portal.deps, site },
    { trustProxy: false, validateOutputs: true, distDir, checkReady: async () => ({}), ...NO_JOBS },
  );
  onTestFinished(() => secure.close());
  await secure.listen({ port: 0, host: '127.0.0.1' });
  for (const target of ['/portal/v2/instant-vat', '/portal/a b', '/portal/%zz']) {
    const { head } = await sendRaw(target, 'Accept: text/html', secure);
    expect(head).toContain('strict-transport-security: max-age=31536000; includesubdomains');
  }
  expect((await sendRaw('/portal/a b')).head).not.toContain('strict-transport-security');
});

describe('a URL that cannot be decoded', () => {
  it.each([
    ['/portal/%zz', '/portal/%25zz'],
    ['/portal/%zz?a=%zz?b', '/portal/%25zz?a=%zz?b'],
    ['/portal/a%20b', '/portal/a%20b'],
    ['/portal/a?b=%', '/portal/a?b=%'],
    ['/portal/a', '/portal/a'],
  ])('is escaped: %s becomes %s', (url, rewrittenUrl) => {
    expect(rewriteUndecodableUrl(url)).toBe(rewrittenUrl);
  });
});
