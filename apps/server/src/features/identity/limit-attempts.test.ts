/** Tests which requests count as one caller and which email addresses count as the same, however they are written (docs/security.md). */
import { createClock } from '@portal/domain/clock.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildApp } from '../../build-app.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { openTestBrowser } from '../../testing/test-browser.ts';
import { limitAttempts, toNetwork } from './limit-attempts.ts';
import { NO_JOBS } from '../../testing/no-jobs.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());

let count = 0;
const createEmail = (): string => `target-${(count += 1)}@limits.example`;

describe('the network of an address', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:0DB8:0000:0000:ffff::1', '2001:db8:0:0::/64'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('of %s is %s', (ip, network) => {
    expect(toNetwork(ip)).toBe(network);
  });
});

describe('limits', () => {
  const requestReset = (ip: string, email: string) =>
    openTestBrowser(portal, { ip })
      .post('/password-reset-request', { email })
      .then(({ status }) => status);

  it('count all addresses of an IPv6 network, and both spellings of an IPv4 address, as one caller', async () => {
    for (const [first, rest] of [
      ['2001:db8:77:1::', (last: number) => `2001:db8:77:1:${(last + 1).toString(16)}::${last}`],
      ['192.0.2.99', () => '::ffff:192.0.2.99'],
    ] as const) {
      const statuses = [];
      for (let attempt = 0; attempt < 61; attempt += 1)
        statuses.push(await requestReset(attempt === 0 ? first : rest(attempt), createEmail()));
      expect([statuses[59], statuses[60]]).toEqual([200, 429]);
    }
    expect(await requestReset('2001:db8:77:2::1', createEmail())).toBe(200);
  });

  it('don’t start a new allowance when the clock passes a quarter of an hour', async () => {
    const attemptAt = (time: string) =>
      limitAttempts(
        portal.deps.database.db,
        createClock(() => Date.parse(`2026-03-02T${time}Z`)),
        { 'quarter:subject': 5 },
      ).then(
        () => 'allowed',
        () => 'refused',
      );
    for (let attempt = 0; attempt < 5; attempt += 1) expect(await attemptAt('09:14:59')).toBe('allowed');
    expect(await attemptAt('09:15:01')).toBe('refused');
    // Ten minutes later, a third of the first five still counts, and so does the rejected one.
    expect(await attemptAt('09:25:00')).toBe('allowed');
    expect(await attemptAt('09:25:01')).toBe('allowed');
    expect(await attemptAt('09:25:02')).toBe('refused');
    expect(await attemptAt('09:45:00')).toBe('allowed');
  });

  it('count every spelling of an email address as the same address', async () => {
    const email = createEmail();
    const statuses = [];
    for (const emailVariant of [email, email.toUpperCase(), ` ${email} `, email, `${email}\t`, email.toUpperCase()]) {
      statuses.push(await requestReset('203.0.113.61', emailVariant));
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });

  it('ignore X-Forwarded-For without a trusted proxy', async () => {
    const app = await buildApp(portal.deps, {
      trustProxy: false,
      validateOutputs: true,
      distDir: '/nowhere',
      checkReady: async () => ({}),
      ...NO_JOBS,
    });
    const statuses = [];
    for (let attempt = 0; attempt < 61; attempt += 1) {
      const response = await app.inject({
        method: 'POST',
        url: '/portal/password-reset-request',
        payload: { email: createEmail() },
        headers: { 'x-forwarded-for': `203.0.113.${attempt + 100}` },
        remoteAddress: '198.51.100.200',
      });
      statuses.push(response.statusCode);
    }
    await app.close();
    expect([statuses[59], statuses[60]]).toEqual([200, 429]);
  });
});
