/** Tests looking up VAT numbers, which uses HMRC's rate limit and is open to anyone who signs up. */
import { attempts } from '@portal/db/schema/schema.ts';
import { toEpochMs, toInstant } from '@portal/domain/clock.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { makeOrganisation, signUp } from '../../testing/test-trader.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());
afterEach(() => portal.faults.clear());

const WINDOW_MS = 15 * 60_000;
const addCompany = async (email: string, { vrn, companyNumber }: { vrn: string; companyNumber: string }) => {
  const { browser } = await signUp(portal, email);
  return browser.post('/instant-vat/steps/company', { name: 'Tess Exports Ltd', company_number: companyNumber, vrn });
};

describe('a VAT number', () => {
  it('is looked up at HMRC once, even if another person adds the company', async () => {
    const organisation = await makeOrganisation(portal);
    expect((await addCompany('first@people.example', organisation)).body).toMatchObject({ vrn_registered_name: 'Tess Exports Ltd' });
    portal.faults.set({ operation: 'hmrc.check_vat_number', kind: 'server_error', times: 1 });
    expect((await addCompany('second@people.example', organisation)).body).toMatchObject({ vrn_registered_name: 'Tess Exports Ltd' });
  });

  it('is looked up again after a failure', async () => {
    const organisation = await makeOrganisation(portal);
    portal.faults.set({ operation: 'hmrc.check_vat_number', kind: 'server_error', times: 1 });
    expect((await addCompany('unlucky@people.example', organisation)).status).toBe(502);
    expect((await addCompany('lucky@people.example', organisation)).status).toBe(200);
  });

  it('is not looked up for a network that has made 120 requests in 15 minutes, whichever account asks', async () => {
    const organisation = await makeOrganisation(portal);
    const now = toEpochMs(portal.deps.wallClock.now());
    const subject = 'vat-number-network:198.51.100.7';
    // Covers two windows, so that the test also passes at the end of one.
    for (const start of [now - (now % WINDOW_MS), now - (now % WINDOW_MS) + WINDOW_MS])
      await portal.deps.database.db
        .insert(attempts)
        .values({ subject, windowStart: toInstant(start), count: 120 })
        .onConflictDoUpdate({ target: [attempts.subject, attempts.windowStart], set: { count: 120 } });
    expect(await addCompany('new-account@people.example', organisation)).toMatchObject({ status: 429 });
    await portal.deps.database.db.delete(attempts);
  });
});
