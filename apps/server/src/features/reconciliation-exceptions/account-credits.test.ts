/** Tests money on the account from which we pay that isn't known to return a payout: it is seen, and two operators say what it is. */
import { ledgerPostings } from '@portal/db/schema/schema.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createIdempotencyHeaders, createPaidTrader, waitForState } from '../../testing/take-advance.ts';
import { readBank } from '../../testing/bank-polls.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { createOperator, type Browser } from '../../testing/test-trader.ts';
import { NO_COMPANY } from '../audit/record-audit.ts';

let portal: TestPortal;
let olga: Browser;
let omar: Browser;
beforeAll(async () => {
  portal = await openTestPortal();
  olga = await createOperator(portal, 'olga@operators.example');
  omar = await createOperator(portal, 'omar@operators.example');
});
afterAll(() => portal.close());

function payIntoOwnAccount(amountPence: number, reference: string, currency?: string): void {
  const { sort_code: sortCode, account_number: accountNumber } = portal.bank.payingAccount();
  const order = { sortCode, accountNumber, amountPence, remitterName: 'Tidewater Ltd', reference };
  portal.bank.creditAccount({ ...order, ...(currency === undefined ? {} : { currency }) });
}

type Item = { subject_id: string; amount_pence: number; currency: string; reference: string; resolutions: string[] };

async function listCredits(...references: readonly string[]): Promise<Item[]> {
  const { body } = await olga.get('/operator/matters', { kind: 'account_credit' });
  return (body['matters'] as Item[]).filter(({ reference }) => references.includes(reference));
}

const request = (subject_id: string, as: string) =>
  olga.post('/operator/matters/resolve-account-credit', { subject_id, as, reason: 'On the statement' });
const approve = (operator: Browser, requestId: unknown) =>
  operator.post('/operator/approvals/approve', { company_id: NO_COMPANY, request_id: requestId }, createIdempotencyHeaders());

it('is listed once, and closed by two operators without a posting', async () => {
  const { db } = portal.deps.database;
  const countPostings = async () => (await db.select().from(ledgerPostings)).length;
  const postingsBefore = await countPostings();
  payIntoOwnAccount(5_000_000, 'FUNDING 1');
  payIntoOwnAccount(7_000, 'EURO', 'EUR');
  for (const _attempt of [1, 2]) await readBank(portal);
  const credits = await listCredits('FUNDING 1', 'EURO');
  // A payout of another test may have been returned.
  const resolutions = expect.arrayContaining(['own_money', 'sent_back']);
  expect(credits).toMatchObject([
    { amount_pence: 5_000_000, currency: 'GBP', reference: 'FUNDING 1', resolutions },
    { amount_pence: 7_000, currency: 'EUR', reference: 'EURO', resolutions },
  ]);
  const [funding] = credits;
  const { body } = await request(funding?.subject_id ?? '', 'own_money');
  expect((await approve(olga, body['request_id'])).body['code']).toBe('approval.wrong_person');
  const { requests } = (await omar.get('/operator/approvals')).body as { requests: { description: string }[] };
  expect(requests.map(({ description }) => description)).toContain(
    'Record that £50,000.00 from Tidewater Ltd (reference “FUNDING 1”) on the account we pay from is our own money. No payment is made.',
  );
  expect((await approve(omar, body['request_id'])).status).toBe(200);
  await readBank(portal);
  expect((await listCredits('FUNDING 1', 'EURO')).map(({ reference }) => reference)).toEqual(['EURO']);
  expect((await request(funding?.subject_id ?? '', 'sent_back')).body['code']).toBe('account_credit.resolved');
  expect(await countPostings()).toBe(postingsBefore);
});

it('can be called a returned payout only if the provider doesn’t name another payment as its return', async () => {
  const trader = await createPaidTrader(portal, 'returned@credits.example', 4_710);
  const payout = portal.bank.listPayouts().find(({ reference }) => reference.includes(trader.vrn));
  const amount = payout?.amount_pence ?? 0;
  payIntoOwnAccount(amount, 'RTN 1');
  payIntoOwnAccount(amount, 'RTN 2');
  await readBank(portal);
  const [first, second] = await listCredits('RTN 1', 'RTN 2');
  expect((await request(first?.subject_id ?? '', 'payout_return')).body['code']).toBe('account_credit.no_returned_payout');
  const findTransaction = (reference: string) => portal.bank.listCredits().find((credit) => credit.reference === reference)?.transaction_id;
  portal.bank.returnPayout(payout?.id ?? '', 'account closed', findTransaction('RTN 1'));
  await readBank(portal);
  await waitForState(trader, 'payout_failed');
  expect(await listCredits('RTN 1', 'RTN 2')).toHaveLength(2);
  expect((await request(second?.subject_id ?? '', 'payout_return')).body['code']).toBe('account_credit.no_returned_payout');
  const { body } = await request(first?.subject_id ?? '', 'payout_return');
  expect((await approve(omar, body['request_id'])).status).toBe(200);
  expect((await request(second?.subject_id ?? '', 'payout_return')).body['code']).toBe('account_credit.no_returned_payout');
});

it('can’t be called a returned payout whose own return the provider has identified', async () => {
  const trader = await createPaidTrader(portal, 'identified@credits.example', 4_720);
  const payout = portal.bank.listPayouts().find(({ reference }) => reference.includes(trader.vrn));
  payIntoOwnAccount(payout?.amount_pence ?? 0, 'SURPLUS');
  portal.bank.returnPayout(payout?.id ?? '', 'account closed');
  await readBank(portal);
  await waitForState(trader, 'payout_failed');
  // The return itself isn't listed.
  const [credit, ...others] = await listCredits('SURPLUS', 'account closed');
  expect(others).toEqual([]);
  expect((await request(credit?.subject_id ?? '', 'payout_return')).body['code']).toBe('account_credit.no_returned_payout');
});

it('can be noted before anyone knows what it is', async () => {
  payIntoOwnAccount(4_100, 'UNCLEAR');
  await readBank(portal);
  const [credit] = await listCredits('UNCLEAR');
  const note = { company_id: NO_COMPANY, subject_id: credit?.subject_id, note_id: crypto.randomUUID(), text: 'Asked the bank' };
  expect((await olga.post('/operator/matters/note', note)).status).toBe(200);
  expect(await listCredits('UNCLEAR')).toMatchObject([{ notes: [{ text: 'Asked the bank' }] }]);
});

it('is listed as soon as the provider’s webhook arrives', async () => {
  payIntoOwnAccount(4_200, 'NOTIFIED');
  await expect.poll(() => listCredits('NOTIFIED'), { timeout: 10_000 }).toHaveLength(1);
});

it('needs the finance role', async () => {
  payIntoOwnAccount(100, 'SMALL');
  await readBank(portal);
  const [credit] = await listCredits('SMALL');
  const support = await createOperator(portal, 'support@operators.example', ['support']);
  const input = { subject_id: credit?.subject_id, as: 'own_money', reason: 'Mine' };
  expect((await support.post('/operator/matters/resolve-account-credit', input)).body['code']).toBe('operator.role_missing');
});
