/** Tests how often one user can trigger calls to HMRC, or long-running work. */
import { ALL_ENDPOINTS } from '@portal/contract/all-endpoints.ts';
import { CLIENTS_UPLOAD_PATH } from '@portal/contract/client-imports.ts';
import type { Endpoint } from '@portal/contract/endpoint.ts';
import { attempts, users } from '@portal/db/schema/schema.ts';
import { toEpochMs, toInstant } from '@portal/domain/clock.ts';
import { eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestPortal, type TestPortal } from '../testing/open-test-portal.ts';
import { signUp } from '../testing/test-trader.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());

const WINDOW_MS = 15 * 60_000;

/** Simulates this many calls by the user in the current 15 minutes. */
async function callRepeatedly(email: string, path: string, count: number): Promise<void> {
  const { db } = portal.deps.database;
  const [user] = await db.select({ id: users.id }).from(users).where(eq(users.email, email));
  const now = toEpochMs(portal.deps.wallClock.now());
  // Covers two windows, so that the test also passes at the end of one.
  for (const start of [now - (now % WINDOW_MS), now - (now % WINDOW_MS) + WINDOW_MS])
    await db
      .insert(attempts)
      .values({ subject: `request:${path}:${user?.id ?? ''}`, windowStart: toInstant(start), count })
      .onConflictDoUpdate({ target: [attempts.subject, attempts.windowStart], set: { count } });
}

describe('calls that spend HMRC’s limit', () => {
  it('are all limited for each user, except those that file or find a filed return', () => {
    const endpoints = Object.values<Record<string, Endpoint>>(ALL_ENDPOINTS).flatMap((api) => Object.values(api));
    const unlimitedEndpoints = endpoints.filter(({ callsHmrc, maxPerPerson }) => callsHmrc === true && maxPerPerson === undefined);
    expect(unlimitedEndpoints.map(({ path }) => path).toSorted()).toEqual([
      '/client/vat-return/file',
      '/client/vat-return/resolve',
      '/instant-vat/vat-return/file',
      '/instant-vat/vat-return/resolve',
    ]);
  });

  it('are rejected beyond the limit, with advice, without affecting other users', async () => {
    const path = '/instant-vat/steps/company';
    const [eagerUser, otherUser] = [await signUp(portal, 'eager@people.example'), await signUp(portal, 'other@people.example')];
    await callRepeatedly('eager@people.example', path, 30);
    const company = { name: 'Tess Exports Ltd', company_number: '11223344', vrn: '123456789' };
    const refusedResponse = await eagerUser.browser.post(path, company);
    expect([refusedResponse.status, refusedResponse.body['code']]).toEqual([429, 'request.too_many']);
    expect(refusedResponse.body['message']).toMatch(/30 times in 15 minutes.*Wait a few minutes.*Nothing you’ve entered has been lost/);
    expect((await otherUser.browser.post(path, company)).status).not.toBe(429);
  });

  it('count uploads too', async () => {
    const { browser } = await signUp(portal, 'uploader@people.example');
    const { body } = await browser.post('/open-tax/practice', { name: 'Uploaders LLP' });
    const companyId = String(body['company_id']);
    const upload = () =>
      browser.upload(CLIENTS_UPLOAD_PATH, { company_id: companyId, file_name: 'clients.csv' }, 'Name,VRN\nA Ltd,123456789\n');
    const firstResponse = await upload();
    await callRepeatedly('uploader@people.example', CLIENTS_UPLOAD_PATH, 120);
    expect([firstResponse.status, (await upload()).status]).toEqual([201, 429]);
  });
});
