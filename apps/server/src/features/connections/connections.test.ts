import type { connectionsApi } from '@portal/contract/connections.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { toInstant, type Instant } from '@portal/domain/clock.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createConnectedTrader, signUp, type Browser } from '../../testing/test-trader.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { getHmrcConnectionStatus } from './connection-status.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());

const toTestInstant = (text: string): Instant => toInstant(Date.parse(text));

async function listConnections(browser: Browser): Promise<EndpointOutput<typeof connectionsApi.list>> {
  const { status, body } = await browser.get('/instant-vat/connections');
  expect(status).toBe(200);
  return body as EndpointOutput<typeof connectionsApi.list>;
}

describe('connections', () => {
  it('list HMRC, the books and the bank account of each company of the user', async () => {
    const trader = await createConnectedTrader(portal, 'all@connections.example');
    const { companies, sign_in } = await listConnections(trader.browser);
    expect(companies).toHaveLength(1);
    const [company] = companies;
    expect(company).toMatchObject({ company_id: trader.companyId, vrn: trader.vrn, hmrc: { status: 'connected' }, books: { flagged: 0 } });
    // HMRC's authorisation lasts 18 months: 10 November 2026 to 10 May 2028.
    expect(company?.hmrc.ends_at?.slice(0, 10)).toBe('2028-05-10');
    expect(company?.bank_account?.account_number_end).toHaveLength(4);
    // The emailed link was opened in a different browser from the one in which the password was chosen, so the password isn't accepted.
    expect(sign_in).toEqual({ email: 'all@connections.example', has_password: false, passkeys: 0, linked: [] });
  });

  it('are empty for a user without a company', async () => {
    const { browser } = await signUp(portal, 'none@connections.example');
    expect((await listConnections(browser)).companies).toEqual([]);
  });
});

describe('the status of a connection to HMRC', () => {
  const now = toTestInstant('2026-11-10T09:00:00Z');
  it.each([
    ['is not connected if no one has requested it', null, 'not_connected'],
    ['is not connected while it is put off', { status: 'postponed', consentEndsAt: null }, 'not_connected'],
    ['was declined', { status: 'declined', consentEndsAt: null }, 'declined'],
    ['is alive', { status: 'connected', consentEndsAt: toTestInstant('2026-12-11T09:00:00Z') }, 'connected'],
    ['ends within 30 days', { status: 'connected', consentEndsAt: toTestInstant('2026-12-10T09:00:00Z') }, 'ending'],
    ['has ended, though no call has found out', { status: 'connected', consentEndsAt: toTestInstant('2026-11-10T09:00:00Z') }, 'lapsed'],
  ] as const)('%s', (_name, connection, status) => {
    expect(getHmrcConnectionStatus(connection, now)).toBe(status);
  });
});
