/** A trader who sets up a Direct Debit on somebody else's account would have us collect from a stranger. */
import { bankAccounts, mandates } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { createShortRepaidTrader, findCase, pollDirectDebitsAt, setUpDirectDebit } from '../../testing/short-refund.ts';
import { changeBankAccount, createConnectedTrader, type Trader } from '../../testing/test-trader.ts';
import { WAIT_OPTIONS } from '../../testing/wait-options.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterEach(() => {
  portal.faults.clear();
  portal.moveClock('2026-11-10T09:00:00Z');
});
afterAll(() => portal.close());

const STRANGER = { sort_code: '20-00-00', account_number: '31510634', account_holder: 'Samuel Stranger' };
const findStatus = (id: string) => portal.directDebits.listMandates().find((mandate) => mandate.id === id)?.status;
const findMandateStatuses = async ({ companyId }: Trader) =>
  (await portal.deps.database.db.select().from(mandates).where(eq(mandates.companyId, companyId))).map(({ status }) => status);
const listPayments = (mandateId: string) => portal.directDebits.listPayments().filter(({ mandate_id }) => mandate_id === mandateId);
const waitForMandate = (trader: Trader, expected: object) =>
  vi.waitFor(async () => expect((await findCase(trader)).mandate).toMatchObject(expected), WAIT_OPTIONS);

it('a Direct Debit on another account than the one that we pay is ended at once, and nothing is collected from it', async () => {
  const trader = await createShortRepaidTrader(portal, 'stranger@debits.example', 4_700, 3_700);
  const mandateId = await setUpDirectDebit(portal, trader, '31510634');
  await waitForMandate(trader, { status: 'cancelled', other_account_ending: '34' });
  expect(findStatus(mandateId)).toBe('cancelled');
  await pollDirectDebitsAt(portal, '2026-11-25T09:00:00Z');
  expect(listPayments(mandateId)).toEqual([]);
  // Their own account works at once.
  const ownMandateId = await setUpDirectDebit(portal, trader);
  await waitForMandate(trader, { status: 'pending_submission', other_account_ending: null });
  await pollDirectDebitsAt(portal, '2026-12-10T09:00:00Z');
  expect(findStatus(ownMandateId)).toBe('active');
  expect(listPayments(ownMandateId)).toHaveLength(1);
});

it('is ended also if the portal stops between the provider’s answer and storing it', async () => {
  const trader = await createShortRepaidTrader(portal, 'crash@debits.example', 4_701, 3_701);
  portal.faults.set({ operation: 'gocardless.cancel_mandate', kind: 'timeout_after_work', times: 1 });
  const mandateId = await setUpDirectDebit(portal, trader, '31510634');
  await vi.waitFor(() => expect(findStatus(mandateId)).toBe('cancelled'), WAIT_OPTIONS);
  await pollDirectDebitsAt(portal, '2026-11-11T09:00:00Z');
  await waitForMandate(trader, { status: 'cancelled', other_account_ending: '34' });
});

it('a Direct Debit on an account that was theirs when they set it up stays after a change of bank details', async () => {
  const trader = await createShortRepaidTrader(portal, 'moved@debits.example', 4_702, 3_702);
  const mandateId = await setUpDirectDebit(portal, trader);
  await waitForMandate(trader, { status: 'pending_submission' });
  await changeBankAccount(portal, trader, { sort_code: '20-00-00', account_number: '31510634' });
  await pollDirectDebitsAt(portal, '2026-11-20T09:00:00Z');
  expect(findStatus(mandateId)).toBe('active');
  const [stored] = await portal.deps.database.db.select().from(mandates).where(eq(mandates.companyId, trader.companyId));
  expect(stored).toMatchObject({ status: 'active', otherAccountEnding: null });
});

it('a Direct Debit on another account doesn’t count if its bank brings it back', async () => {
  const trader = await createShortRepaidTrader(portal, 'reinstated@debits.example', 4_703, 3_703);
  const mandateId = await setUpDirectDebit(portal, trader, '31510634');
  await waitForMandate(trader, { status: 'cancelled', other_account_ending: '34' });
  portal.directDebits.moveMandate(mandateId, 'active');
  await vi.waitFor(() => expect(findStatus(mandateId)).toBe('cancelled'), WAIT_OPTIONS);
  await waitForMandate(trader, { status: 'cancelled', other_account_ending: '34' });
});

it('a Direct Debit can’t be set up before we know the account that we pay', async () => {
  const trader = await createConnectedTrader(portal, 'early@debits.example', null);
  await portal.deps.database.db.delete(bankAccounts).where(eq(bankAccounts.companyId, trader.companyId));
  const input = { company_id: trader.companyId, obligation_id: trader.obligation.id };
  const response = await trader.browser.post('/instant-vat/direct-debit/start', input);
  expect(response).toMatchObject({ status: 409, body: { code: 'direct_debit.no_account' } });
});

it('nor on an account in someone else’s name, which the trader could replace with their own afterwards', async () => {
  const trader = await createConnectedTrader(portal, 'swap@debits.example', null);
  await changeBankAccount(portal, trader, STRANGER);
  const input = { company_id: trader.companyId, obligation_id: trader.obligation.id };
  const refused = await trader.browser.post('/instant-vat/direct-debit/start', input);
  expect(refused).toMatchObject({ status: 409, body: { code: 'direct_debit.account_of_another' } });
});

it('nor if they give that account while GoCardless’s page is open', async () => {
  const trader = await createShortRepaidTrader(portal, 'tabs@debits.example', 4_704, 3_704);
  const input = { company_id: trader.companyId, obligation_id: trader.obligation.id };
  const { body } = await trader.browser.post('/instant-vat/direct-debit/start', input);
  await changeBankAccount(portal, trader, STRANGER);
  const form = new URLSearchParams({ choice: 'confirm', account_number: STRANGER.account_number });
  await fetch(String(body['authorisation_url']), { method: 'POST', body: form, redirect: 'manual' });
  await waitForMandate(trader, { status: 'cancelled', other_account_ending: '34' });
  expect(await findMandateStatuses(trader)).toEqual(['cancelled']);
});
