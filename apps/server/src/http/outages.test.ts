/**
 * While the database is unavailable, calls return 503 with the reason, and afterwards everything works again automatically. Runs on the
 * embedded engine: packages/db/src/postgres/outage.test.ts covers which server errors count, and `npm run campaign -- environment` causes
 * them.
 */
import { NoConnectionError } from '@portal/db/database-outage.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestPortal, type TestPortal } from '../testing/open-test-portal.ts';
import { createConnectedTrader, type Trader } from '../testing/test-trader.ts';

let portal: TestPortal;
let trader: Trader;
beforeAll(async () => {
  portal = await openTestPortal();
  trader = await createConnectedTrader(portal, 'outage@trader.example', null);
});
afterAll(() => portal.close());

const setReadOnly = (isOn: boolean) => portal.deps.database.executeSql(`set default_transaction_read_only to ${isOn ? 'on' : 'off'}`);

describe('a database that can’t be written', () => {
  it('returns 503 for requests that have to be saved, says when to try again, and saves again afterwards', async () => {
    const save = () => {
      const headers = { cookie: trader.cookie };
      const payload = { full_name: 'Tess Trader', phone: '020 7946 0018' };
      return portal.app.inject({ method: 'POST', url: '/portal/instant-vat/steps/about', payload, headers });
    };
    await setReadOnly(true);
    try {
      const response = await save();
      expect(response.statusCode).toBe(503);
      expect(response.json()).toMatchObject({ code: 'database.read_only', message: expect.stringMatching(/^We can’t save anything/) });
      expect(response.headers['retry-after']).toMatch(/^\d+$/);
    } finally {
      await setReadOnly(false);
    }
    expect((await save()).statusCode).toBe(200);
  });
});

describe('a database that is lost while a call to a provider waits for its slot there', () => {
  it('is not called an outage of the provider', async () => {
    const { hmrc } = portal.deps;
    const lostConnection = new NoConnectionError(new Error('Connection terminated unexpectedly'));
    const unreachable = new ProviderError('unavailable', { provider: 'hmrc', operation: 'hmrc.obligations' }, lostConnection);
    Object.assign(portal.deps, { hmrc: { ...hmrc, listObligations: () => Promise.reject(unreachable) } });
    try {
      const payload = { company_id: trader.companyId };
      const url = '/portal/instant-vat/hmrc/refresh';
      const response = await portal.app.inject({ method: 'POST', url, payload, headers: { cookie: trader.cookie } });
      expect(response.json()).toMatchObject({ status: 503, code: 'database.unreachable' });
    } finally {
      Object.assign(portal.deps, { hmrc });
    }
  });
});
