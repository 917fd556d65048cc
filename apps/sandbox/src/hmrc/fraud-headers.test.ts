/**
 * Checks both the builder and the grader of fraud prevention headers against HMRC's specification, not only against each other. See
 * docs/reference/hmrc.md section 9.
 */
import { createClock } from '@portal/domain/clock.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildFraudHeaders, type FraudFacts } from '@portal/providers/hmrc/fraud-headers.ts';
import { FRAUD_HEADER_NAMES, validateFraudHeaders } from './grade-fraud-headers.ts';
import { COMPLETE_FACTS } from './testing/start-hmrc.ts';

/** HMRC's published examples. */
const EXAMPLE_HEADERS: Readonly<Record<string, string>> = {
  'Gov-Client-Connection-Method': 'WEB_APP_VIA_SERVER',
  'Gov-Client-Browser-JS-User-Agent':
    'Mozilla/5.0 (iPad; U; CPU OS 3_2_1 like Mac OS X; en-us) AppleWebKit/531.21.10 (KHTML, like Gecko) Mobile/7B405',
  'Gov-Client-Device-ID': 'beec798b-b366-47fa-b1f8-92cede14a1ce',
  'Gov-Client-Multi-Factor': 'type=AUTH_CODE&timestamp=2021-11-21T13%3A23Z&unique-reference=fc4b5fd6816f75a7c',
  'Gov-Client-Public-IP': '198.51.100.0',
  'Gov-Client-Public-IP-Timestamp': '2020-09-21T14:30:05.123Z',
  'Gov-Client-Public-Port': '12345',
  'Gov-Client-Screens':
    'width=1920&height=1080&scaling-factor=1&colour-depth=16,width=3000&height=2000&scaling-factor=1.25&colour-depth=16',
  'Gov-Client-Timezone': 'UTC+01:00',
  'Gov-Client-User-IDs': 'my-application=alice123',
  'Gov-Client-Window-Size': 'width=1256&height=803',
  'Gov-Vendor-Forwarded': 'by=203.0.113.6&for=198.51.100.0',
  'Gov-Vendor-License-IDs': 'my-licensed-software=8D7963490527D33716835EE7C195516D5E562E03B224E9B359836466EE40CDE1',
  'Gov-Vendor-Product-Name': 'Product%20Name',
  'Gov-Vendor-Public-IP': '203.0.113.6',
  'Gov-Vendor-Version': 'my-frontend=2.2.2&my-server=2.2.2',
};

function buildFactHeaders(change: { [Group in keyof FraudFacts]?: Partial<FraudFacts[Group]> }): FraudFacts {
  return {
    browser: { ...COMPLETE_FACTS.browser, ...change.browser },
    connection: { ...COMPLETE_FACTS.connection, ...change.connection },
    user: { ...COMPLETE_FACTS.user, ...change.user },
    vendor: { ...COMPLETE_FACTS.vendor, ...change.vendor },
  };
}

describe('the built headers', () => {
  it('are the sixteen of HMRC’s list, encoded like its examples', () => {
    expect(buildFraudHeaders(COMPLETE_FACTS)).toEqual({
      'Gov-Client-Connection-Method': 'WEB_APP_VIA_SERVER',
      'Gov-Client-Browser-JS-User-Agent':
        'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
      'Gov-Client-Device-ID': 'beec798b-b366-47fa-b1f8-92cede14a1ce',
      'Gov-Client-Multi-Factor': 'type=TOTP&timestamp=2026-11-18T09%3A00%3A00.000Z&unique-reference=fc4b5fd6816f75a7c',
      'Gov-Client-Public-IP': '198.51.100.0',
      'Gov-Client-Public-IP-Timestamp': '2026-11-18T09:59:58.123Z',
      'Gov-Client-Public-Port': '12345',
      'Gov-Client-Screens': 'width=1920&height=1080&scaling-factor=1.25&colour-depth=24',
      'Gov-Client-Timezone': 'UTC+01:00',
      'Gov-Client-User-IDs': 'tidewater=alice%40example.com',
      'Gov-Client-Window-Size': 'width=1256&height=803',
      'Gov-Vendor-Forwarded': 'by=203.0.113.6&for=198.51.100.0',
      'Gov-Vendor-License-IDs': 'portal=8D7963490527D33716835EE7C195516D5E562E03B224E9B359836466EE40CDE1',
      'Gov-Vendor-Product-Name': 'Tidewater%20Portal',
      'Gov-Vendor-Public-IP': '203.0.113.6',
      'Gov-Vendor-Version': 'portal-web=0.1.0&portal-server=0.1.0',
    });
  });

  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '192.168.0.7',
    '172.31.9.9',
    '169.254.1.1',
    '100.64.0.1',
    '::1',
    'fd00::1',
    'fe80::1',
    '::ffff:127.0.0.1',
    'x',
  ])('omit an address that HMRC cannot use (%s), with its time and its hop', (clientIp) => {
    const headers = buildFraudHeaders(buildFactHeaders({ connection: { clientIp } }));
    expect(Object.keys(headers)).not.toContain('Gov-Client-Public-IP');
    expect(Object.keys(headers)).not.toContain('Gov-Client-Public-IP-Timestamp');
    expect(Object.keys(headers)).not.toContain('Gov-Vendor-Forwarded');
  });

  it('unwrap IPv4-mapped IPv6, and encode the colons of IPv6 only inside pairs', () => {
    expect(buildFraudHeaders(buildFactHeaders({ connection: { clientIp: '::ffff:198.51.100.7' } }))['Gov-Client-Public-IP']).toBe(
      '198.51.100.7',
    );
    const headers = buildFraudHeaders(buildFactHeaders({ connection: { clientIp: '2001:db8::7' } }));
    expect(headers['Gov-Client-Public-IP']).toBe('2001:db8::7');
    expect(headers['Gov-Vendor-Forwarded']).toBe('by=203.0.113.6&for=2001%3Adb8%3A%3A7');
    expect(validateFraudHeaders(headers).code).toBe('VALID_HEADERS');
  });

  it.each([
    [0, 'UTC+00:00'],
    [-210, 'UTC-03:30'],
    [345, 'UTC+05:45'],
    [840, 'UTC+14:00'],
    [841, undefined],
  ])('format %s minutes east of UTC as %s', (timezoneOffsetMinutes, text) => {
    expect(buildFraudHeaders(buildFactHeaders({ browser: { timezoneOffsetMinutes } }))['Gov-Client-Timezone']).toBe(text);
  });

  it('omit unavailable values and never contain a placeholder', () => {
    const minimalHeaders = buildFraudHeaders({
      browser: {},
      connection: {},
      user: { userIds: {} },
      vendor: { productName: 'P', versions: {} },
    });
    expect(minimalHeaders).toEqual({ 'Gov-Client-Connection-Method': 'WEB_APP_VIA_SERVER', 'Gov-Vendor-Product-Name': 'P' });
    expect(buildFraudHeaders(buildFactHeaders({ connection: { clientPort: 443 } }))['Gov-Client-Public-Port']).toBeUndefined();
    expect(buildFraudHeaders(buildFactHeaders({ browser: { deviceId: 'null' } }))['Gov-Client-Device-ID']).toBeUndefined();
  });

  it('are valid for HMRC and sendable with any user and browser names', () => {
    const facts = fc.record({
      userAgent: fc.string({ unit: 'binary', minLength: 1 }).map((text) => `Mozilla/5.0 ${text}`),
      userId: fc.string({ unit: 'binary', minLength: 1 }).filter((text) => text.isWellFormed()),
      product: fc.string({ unit: 'grapheme', minLength: 1 }).map((text) => `${text} Portal`),
      width: fc.integer({ min: 1, max: 20_000 }),
      offset: fc.integer({ min: -840, max: 840 }),
      port: fc.integer({ min: 1024, max: 65_535 }),
    });
    fc.assert(
      fc.property(facts, ({ userAgent, userId, product, width, offset, port }) => {
        const headers = buildFraudHeaders(
          buildFactHeaders({
            browser: { userAgent, timezoneOffsetMinutes: offset, windowSize: { width, height: 1 } },
            connection: { clientPort: port },
            user: { userIds: { tidewater: userId } },
            vendor: { productName: product },
          }),
        );
        const sentHeaders = new Headers(headers);
        expect(validateFraudHeaders(sentHeaders).errors).toEqual([]);
      }),
    );
  });

  it('always contain milliseconds', () => {
    const clientIpSeenAt = createClock(() => Date.parse('2026-11-18T10:00:00Z')).now();
    expect(buildFraudHeaders(buildFactHeaders({ connection: { clientIpSeenAt } }))['Gov-Client-Public-IP-Timestamp']).toBe(
      '2026-11-18T10:00:00.000Z',
    );
  });
});

describe('the grader', () => {
  it('accepts HMRC’s own examples', () => {
    expect(validateFraudHeaders(EXAMPLE_HEADERS)).toEqual({
      specVersion: '3.3',
      code: 'VALID_HEADERS',
      message: 'All headers appear to be valid',
      errors: [],
      warnings: [],
    });
    expect(Object.keys(EXAMPLE_HEADERS).map((name) => name.toLowerCase())).toEqual([...FRAUD_HEADER_NAMES]);
  });

  it.each([
    ['Gov-Client-Connection-Method', 'DESKTOP_APP_DIRECT'],
    ['Gov-Client-Browser-JS-User-Agent', 'null'],
    ['Gov-Client-Device-ID', 'device-1'],
    ['Gov-Client-Multi-Factor', 'type=SMS&timestamp=2021-11-21T13%3A23Z&unique-reference=a'],
    ['Gov-Client-Multi-Factor', 'type=TOTP&timestamp=2021-11-21T13:23Z&unique-reference=a'],
    ['Gov-Client-Multi-Factor', 'type=TOTP&timestamp=2021-11-21T13%3A23Z'],
    ['Gov-Client-Public-IP', '192.168.1.4'],
    ['Gov-Client-Public-IP', '198.51.100.256'],
    ['Gov-Client-Public-IP-Timestamp', '2020-09-21T14:30:05Z'],
    ['Gov-Client-Public-IP-Timestamp', '2020-13-21T14:30:05.123Z'],
    ['Gov-Client-Public-Port', '443'],
    ['Gov-Client-Public-Port', '65536'],
    ['Gov-Client-Screens', 'width=1920.5&height=1080&scaling-factor=1&colour-depth=16'],
    ['Gov-Client-Screens', 'width=1920&height=1080&scaling-factor=0&colour-depth=16'],
    ['Gov-Client-Timezone', 'UTC'],
    ['Gov-Client-Timezone', 'Europe/London'],
    ['Gov-Client-User-IDs', 'alice123'],
    ['Gov-Client-User-IDs', 'my-application=alice@example.com'],
    ['Gov-Client-User-IDs', 'my-application='],
    ['Gov-Client-Window-Size', 'width=0&height=803'],
    ['Gov-Vendor-Forwarded', 'by=203.0.113.7&for=198.51.100.0'],
    ['Gov-Vendor-Forwarded', 'by=203.0.113.6&for=198.51.100.1'],
    ['Gov-Vendor-Forwarded', 'by=203.0.113.6&for=198.51.100.0,by=10.0.0.1&for=203.0.113.6'],
    ['Gov-Vendor-Product-Name', 'Product Name'],
    ['Gov-Vendor-Public-IP', 'localhost'],
    ['Gov-Vendor-Version', '2.2.2'],
  ])('rejects %s: %s', (name, value) => {
    const grade = validateFraudHeaders({ ...EXAMPLE_HEADERS, [name]: value });
    expect(grade.code).toBe('INVALID_HEADERS');
    expect(grade.errors.flatMap(({ headers }) => headers)).toContain(name.toLowerCase());
  });

  it.each(Object.keys(EXAMPLE_HEADERS))('reports a missing %s', (name) => {
    const { [name]: _omitted, ...rest } = EXAMPLE_HEADERS;
    const grade = validateFraudHeaders(rest);
    const mayBeMissing = name === 'Gov-Client-Multi-Factor' || name === 'Gov-Vendor-License-IDs';
    expect(grade.code).toBe(mayBeMissing ? 'POTENTIALLY_INVALID_HEADERS' : 'INVALID_HEADERS');
    expect([...grade.errors, ...grade.warnings].flatMap(({ headers }) => headers)).toContain(name.toLowerCase());
  });

  it.each([
    ['Gov-Client-User-IDs', 'os=alice&my-application=alice123'],
    ['Gov-Vendor-Version', 'my-server=2.2.2'],
  ])('warns about %s: %s', (name, value) => {
    expect(validateFraudHeaders({ ...EXAMPLE_HEADERS, [name]: value }).code).toBe('POTENTIALLY_INVALID_HEADERS');
  });
});
