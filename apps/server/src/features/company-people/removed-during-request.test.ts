/** Someone who is removed while their request waits for a provider has no right to what it would have saved. */
import { bankAccounts, memberships, users } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClients, openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { acceptAdvance, createTraderWithFiledReturn, findAdvance, postAccept } from '../../testing/take-advance.ts';
import { changeBankAccount, createBrowser, signUp, type ApiResponse, type Trader } from '../../testing/test-trader.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());

type SendRequest = (person: Trader) => Promise<ApiResponse>;

/** Another owner makes the request, and is removed before the provider's call at `path` is answered. Returns the response to the request. */
async function removeDuring(trader: Trader, email: string, path: string, sendRequest: SendRequest): Promise<unknown[]> {
  const { cookie } = await signUp(portal, email);
  const { db } = portal.deps.database;
  const [user] = await db.select({ id: users.id }).from(users).where(eq(users.email, email));
  const person = { companyId: trader.companyId, userId: user?.id ?? '' };
  await db.insert(memberships).values({ ...person, role: 'trader_owner', createdAt: portal.deps.clock.now() });
  const [called, removed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const sendLate: typeof fetch = async (input, init) => {
    if (String(input instanceof Request ? input.url : input).includes(path)) {
      called.resolve();
      await removed.promise;
    }
    return fetch(input, init);
  };
  const instance = await portal.openInstance(createClients(portal.providers, portal.deps.clock, () => sendLate));
  const response = sendRequest({ ...trader, browser: createBrowser(instance, cookie) });
  await called.promise;
  const removal = { company_id: trader.companyId, user_id: person.userId };
  expect((await trader.browser.post('/instant-vat/people/remove', removal)).status).toBe(200);
  removed.resolve();
  const { status, body } = await response;
  await instance.close();
  return [status, body['code']];
}

const REJECTED = [403, 'company_people.right_missing'];

describe('an owner who is removed during a request', () => {
  it('doesn’t change the bank account', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'bank@removed.example', 4_301);
    const account = { sort_code: '20-00-00', account_number: '41421420' };
    const change: SendRequest = (person) => changeBankAccount(portal, person, account);
    expect(await removeDuring(trader, 'second@removed.example', '/account-name-check', change)).toEqual(REJECTED);
    const { db } = portal.deps.database;
    const accounts = await db.select().from(bankAccounts).where(eq(bankAccounts.companyId, trader.companyId));
    expect(accounts.map(({ accountNumber }) => accountNumber)).toEqual(['55779911']);
  });

  it('doesn’t accept an offer, or confirm the collection account', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'offer@removed.example', 4_302);
    expect(await removeDuring(trader, 'third@removed.example', '/payments?', postAccept)).toEqual(REJECTED);
    expect((await findAdvance(trader)).state).toBe('quoted');
    const { advance_id } = await acceptAdvance(portal, trader);
    const confirm: SendRequest = ({ browser, companyId: company_id }) =>
      browser.post('/instant-vat/advance/confirm-collection-account', { company_id, advance_id });
    expect(await removeDuring(trader, 'fourth@removed.example', '/payments?', confirm)).toEqual(REJECTED);
    await portal.runJobs();
    expect(await findAdvance(trader)).toMatchObject({ state: 'approved', collection_account: { confirmed_at: null } });
  });
});
