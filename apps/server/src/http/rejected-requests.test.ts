/** Tests that a request can be found in the log by the ID that a user quotes, without personal data. */
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestPortal, type TestInstance, type TestPortal } from '../testing/open-test-portal.ts';

const lines: Record<string, unknown>[] = [];
let portal: TestPortal;
let instance: TestInstance;
beforeAll(async () => {
  portal = await openTestPortal();
  const logger = pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) });
  instance = await portal.openInstance({ logger });
});
afterAll(async () => {
  await instance.close();
  await portal.close();
});

describe('a rejected request', () => {
  it('has one line in the log, with its id, route and code', async () => {
    const response = await instance.app.inject({ url: '/portal/instant-vat/advance?company_id=someone%40example.com' });
    expect(response.statusCode).toBe(401);
    const id = response.headers['x-request-id'];
    const foundLines = lines.filter(({ request_id }) => request_id === id);
    expect(foundLines).toEqual([
      expect.objectContaining({ method: 'GET', status: 401, msg: 'request rejected', code: expect.any(String) }),
    ]);
    expect(JSON.stringify(lines)).not.toContain('someone');
  });

  it('isn’t stored by a cache', async () => {
    for (const url of ['/portal/user-companies', '/portal/no-such-page', '/portal/open-tax/calendar/no-such-calendar.ics']) {
      const { statusCode, headers } = await instance.app.inject({ url });
      expect([url, statusCode >= 400, headers['cache-control']]).toEqual([url, true, 'no-store']);
    }
  });
});

describe('a proxy that TRUST_PROXY doesn’t include', () => {
  it('is warned about once, without an address', async () => {
    const forward = (remoteAddress: string, visitor = '203.0.113.9') =>
      instance.app.inject({ url: '/portal/healthz', remoteAddress, headers: { 'x-forwarded-for': visitor } });
    const listWarnings = () => lines.filter(({ msg }) => String(msg).startsWith('TRUST_PROXY doesn’t include'));
    await forward('127.0.0.1');
    // Someone who opens the portal on the proxy's own computer.
    await forward('127.0.0.1', '127.0.0.1');
    expect(listWarnings()).toEqual([]);
    for (const _attempt of [1, 2]) await forward('10.0.0.9');
    expect(listWarnings()).toHaveLength(1);
    expect(JSON.stringify(listWarnings())).not.toMatch(/10\.0\.0\.9|203\.0\.113\.9/);
  });
});
