/** Someone who is removed while their request waits for a provider has no right to what it would have saved. */
import { bankAccounts, memberships, users } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { acceptAdvance, createTraderWithFiledReturn, findAdvance, postAccept } from '../../testing/take-advance.ts';
import { changeBankAccount, signUp, type ApiResponse, type Trader } from '../../testing/test-trader.ts';
import { WAIT_OPTIONS } from '../../testing/wait-options.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());

type Request = (person: Trader) => Promise<ApiResponse>;

/** Another owner makes the request, and is removed while the provider's call takes long. Returns the response to the request. */
async function removeDuring(trader: Trader, email: string, operation: string, request: Request): Promise<unknown[]> {
  const { browser } = await signUp(portal, email);
  const { db } = portal.deps.database;
  const [user] = await db.select({ id: users.id }).from(users).where(eq(users.email, email));
  const person = { companyId: trader.companyId, userId: user?.id ?? '' };
  await db.insert(memberships).values({ ...person, role: 'trader_owner', createdAt: portal.deps.clock.now() });
  portal.faults.set({ operation, kind: 'slow', times: 1 });
  const response = request({ ...trader, browser });
  await vi.waitFor(() => expect(portal.faults.list()).toEqual([]), WAIT_OPTIONS);
  const removal = { company_id: trader.companyId, user_id: person.userId };
  expect((await trader.browser.post('/instant-vat/people/remove', removal)).status).toBe(200);
  const { status, body } = await response;
  return [status, body['code']];
}

const REJECTED = [403, 'company_people.right_missing'];

describe('an owner who is removed during a request', () => {
  it('doesn’t change the bank account', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'bank@removed.example', 4_301);
    const account = { sort_code: '20-00-00', account_number: '41421420' };
    const change: Request = (person) => changeBankAccount(portal, person, account);
    expect(await removeDuring(trader, 'second@removed.example', 'modulr.account_name_check', change)).toEqual(REJECTED);
    const { db } = portal.deps.database;
    const accounts = await db.select().from(bankAccounts).where(eq(bankAccounts.companyId, trader.companyId));
    expect(accounts.map(({ accountNumber }) => accountNumber)).toEqual(['55779911']);
  });

  it('doesn’t accept an offer, or confirm the collection account', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'offer@removed.example', 4_302);
    expect(await removeDuring(trader, 'third@removed.example', 'hmrc.payments', postAccept)).toEqual(REJECTED);
    expect((await findAdvance(trader)).state).toBe('quoted');
    const { advance_id } = await acceptAdvance(portal, trader);
    const confirm: Request = ({ browser, companyId: company_id }) =>
      browser.post('/instant-vat/advance/confirm-collection-account', { company_id, advance_id });
    expect(await removeDuring(trader, 'fourth@removed.example', 'hmrc.payments', confirm)).toEqual(REJECTED);
    await portal.runJobs();
    expect(await findAdvance(trader)).toMatchObject({ state: 'approved', collection_account: { confirmed_at: null } });
  });
});
