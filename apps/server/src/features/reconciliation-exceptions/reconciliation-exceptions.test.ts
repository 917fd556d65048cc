/**
 * Tests reconciliation exceptions from the bank's credit to the ledger: how they arise, how operators resolve them, and that each action
 * counts once.
 */
import { auditEntries, bankCredits, ledgerPostings } from '@portal/db/schema/schema.ts';
import { and, eq, like } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createOperator, type Browser, type Trader } from '../../testing/test-trader.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { WAIT_OPTIONS } from '../../testing/wait-options.ts';
import {
  acceptAdvance,
  confirmCollection,
  filedTrader,
  findAdvance,
  newKey,
  paidTrader,
  postRelease,
  trialBalance,
  untilState,
} from '../../testing/take-advance.ts';

let portal: TestPortal;
let olga: Browser;
let omar: Browser;
let otis: Browser;
beforeAll(async () => {
  portal = await openTestPortal();
  olga = await createOperator(portal, 'olga@operators.example');
  omar = await createOperator(portal, 'omar@operators.example');
  otis = await createOperator(portal, 'otis@operators.example');
});
afterAll(() => portal.close());

type Candidate = { advance_id: string; applied_pence: number; surplus_pence: number; missing_pence: number };
type ExceptionItem = {
  kind: string;
  subject_id: string;
  amount_pence: number;
  candidates: Candidate[];
  notes: { text: string; by: string }[];
};

async function listTraderExceptions(trader: Trader): Promise<ExceptionItem[]> {
  const { body } = await olga.get('/operator/matters');
  return (body['matters'] as (ExceptionItem & { company_id: string })[]).filter(({ company_id }) => company_id === trader.companyId);
}

/** A payment from outside to the trader's collection account. Returns the exception that it raises. */
async function credit(trader: Trader, amountPence: number, remitterName = 'Somebody Else Ltd'): Promise<ExceptionItem> {
  const { collection_account } = await findAdvance(trader);
  portal.bank.creditAccount({
    sortCode: collection_account?.sort_code ?? '',
    accountNumber: collection_account?.account_number ?? '',
    amountPence,
    remitterName,
    reference: 'REF 1',
  });
  return vi.waitFor(async () => {
    const exception = (await listTraderExceptions(trader)).find((item) => item.kind === 'credit' && item.amount_pence === amountPence);
    if (!exception) throw new Error('the credit has raised no exception yet');
    return exception;
  }, WAIT_OPTIONS);
}

const matchCredit = async (operatorBrowser: Browser, trader: Trader, exception: ExceptionItem, key = newKey()) =>
  operatorBrowser.post(
    '/operator/matters/match',
    {
      company_id: trader.companyId,
      credit_id: exception.subject_id,
      advance_id: (await findAdvance(trader)).advance_id,
      reason: 'The reference is HMRC’s',
    },
    key,
  );

const recordReturn = (operatorBrowser: Browser, trader: Trader, exception: ExceptionItem, return_reference = 'TL-778') =>
  operatorBrowser.post(
    '/operator/matters/record-return',
    { company_id: trader.companyId, credit_id: exception.subject_id, reason: 'Sent here by mistake', return_reference },
    newKey(),
  );

const listAuditActions = async (subject: string) =>
  (await portal.deps.database.db.select().from(auditEntries).where(eq(auditEntries.subject, subject))).map(({ action }) => action);

describe('an unmatched credit', () => {
  it('shows the effect of matching it, and settles the advance when matched', async () => {
    const trader = await paidTrader(portal, 'whole@trader.example', 4_100);
    // The matching rule does not recognise the remitter as HMRC, so an operator has to decide.
    const [first, second] = [await credit(trader, 300_000), await credit(trader, 111_000)];
    const { advance_id } = await findAdvance(trader);
    expect(first.candidates).toMatchObject([{ advance_id, applied_pence: 300_000, surplus_pence: 0, missing_pence: 110_000 }]);
    expect((await matchCredit(olga, trader, first)).status).toBe(200);
    expect((await findAdvance(trader)).state).toBe('shortfall');
    expect(await trialBalance(portal, trader.companyId)).toEqual({
      cash: 300_000 + 111_000 - 405_900,
      fee_income: -4_100,
      due_from_trader: 110_000,
      owed_to_trader: -111_000,
    });
    expect(await listTraderExceptions(trader)).toMatchObject([
      { kind: 'credit', amount_pence: 111_000 },
      { kind: 'shortfall', amount_pence: 110_000 },
    ]);
    expect((await matchCredit(omar, trader, second)).status).toBe(200);
    expect(await findAdvance(trader)).toMatchObject({ state: 'settled', received_pence: 411_000 });
    // The £10 above the refund is still owed to the trader.
    expect(await trialBalance(portal, trader.companyId)).toEqual({ cash: 5_100, fee_income: -4_100, owed_to_trader: -1_000 });
    expect(await listTraderExceptions(trader)).toEqual([]);
    expect(await listAuditActions(first.subject_id)).toEqual(['credit.matched']);
    expect(await listAuditActions(advance_id)).toEqual(
      expect.arrayContaining(['advance.shortfall', 'advance.collecting', 'advance.settled']),
    );
  });

  it('is matched once by repeated and simultaneous requests of several operators', async () => {
    const trader = await paidTrader(portal, 'twice@trader.example', 4_200);
    const exception = await credit(trader, 420_000 - 1);
    const key = newKey();
    const responses = await Promise.all([
      matchCredit(olga, trader, exception, key),
      matchCredit(olga, trader, exception, key),
      matchCredit(omar, trader, exception),
    ]);
    // The later of two requests with one key gets 409, because the first is still being processed.
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 409]);
    const postings = await portal.deps.database.db
      .select()
      .from(ledgerPostings)
      .where(and(eq(ledgerPostings.companyId, trader.companyId), like(ledgerPostings.idempotencyKey, 'match:%')));
    expect(postings).toHaveLength(1);
    expect(await trialBalance(portal, trader.companyId)).toMatchObject({ due_from_trader: 1 });
    expect(await listAuditActions(exception.subject_id)).toEqual(['credit.matched']);
  });

  it('that was returned leaves the ledger unchanged and can no longer be matched', async () => {
    const trader = await filedTrader(portal, 'back@trader.example', 12_100);
    await acceptAdvance(portal, trader);
    await confirmCollection(portal, trader);
    const { advance_id } = await findAdvance(trader);
    // The credit is as large as the refund and arrives before the payout. If its return were not recorded, it would count as HMRC's early
    // repayment.
    const exception = await credit(trader, 1_210_000);
    expect((await recordReturn(olga, trader, exception)).status).toBe(200);
    expect((await recordReturn(olga, trader, exception)).status).toBe(200);
    expect((await recordReturn(omar, trader, exception, 'TL-779')).body['code']).toBe('reconciliation.credit_returned');
    expect(await trialBalance(portal, trader.companyId)).toEqual({});
    expect(await listTraderExceptions(trader)).toEqual([]);
    const noteTarget = { company_id: trader.companyId, advance_id };
    await otis.post('/operator/advance/decide', { ...noteTarget, decision: 'approve', reason: 'Looks right' });
    await postRelease(olga, trader, advance_id);
    await postRelease(omar, trader, advance_id);
    await portal.runJobs();
    await untilState(trader, 'awaiting_hmrc');
    expect((await matchCredit(omar, trader, exception)).body['code']).toBe('reconciliation.credit_returned');
    expect(await listAuditActions(exception.subject_id)).toEqual(['credit.returned']);
  });

  it('cannot be matched to an advance that expects no money, or to another company’s advance', async () => {
    const settled = await paidTrader(portal, 'settled@trader.example', 4_300);
    await portal.hmrc.moveRepayment(settled.vrn, settled.obligation.periodKey, 'PAID');
    await untilState(settled, 'settled');
    const late = await credit(settled, 1_234);
    expect(late.candidates).toEqual([]);
    expect((await matchCredit(olga, settled, late)).body['code']).toBe('reconciliation.nothing_outstanding');
    const other = await paidTrader(portal, 'other@trader.example', 4_400);
    const foreign = { company_id: other.companyId, credit_id: late.subject_id, advance_id: (await findAdvance(other)).advance_id };
    expect((await olga.post('/operator/matters/match', { ...foreign, reason: 'By mistake' }, newKey())).status).toBe(404);
    const mismatchedIds = { company_id: settled.companyId, credit_id: late.subject_id, advance_id: foreign.advance_id };
    expect((await olga.post('/operator/matters/match', { ...mismatchedIds, reason: 'By mistake' }, newKey())).status).toBe(404);
    const [unchangedCredit] = await portal.deps.database.db.select().from(bankCredits).where(eq(bankCredits.id, late.subject_id));
    expect(unchangedCredit?.advanceId).toBeNull();
  });

  it('can be matched only by an operator and only with a reason', async () => {
    const trader = await paidTrader(portal, 'rights@trader.example', 4_500);
    const exception = await credit(trader, 777);
    const { advance_id } = await findAdvance(trader);
    const input = { company_id: trader.companyId, credit_id: exception.subject_id, advance_id };
    expect((await olga.post('/operator/matters/match', { ...input, reason: ' ' }, newKey())).body['message']).toHaveProperty('reason');
    expect((await olga.post('/operator/matters/match', { ...input, reason: 'Right' })).status).toBe(400);
    expect((await trader.browser.post('/operator/matters/match', { ...input, reason: 'Mine' }, newKey())).status).toBe(404);
    expect((await trader.browser.get('/operator/matters')).status).toBe(404);
  });
});

describe('a missing repayment', () => {
  it('is a shortfall when HMRC paid less, until the trader pays the rest', async () => {
    const trader = await paidTrader(portal, 'short@trader.example', 4_700);
    await credit(trader, 100_000, 'Unknown Ltd');
    portal.bank.creditAccount({
      sortCode: (await findAdvance(trader)).collection_account?.sort_code ?? '',
      accountNumber: (await findAdvance(trader)).collection_account?.account_number ?? '',
      amountPence: 370_000,
      remitterName: 'HMRC VAT',
      reference: 'VTR',
    });
    await untilState(trader, 'shortfall');
    const exceptions = await listTraderExceptions(trader);
    expect(exceptions.find(({ kind }) => kind === 'shortfall')).toMatchObject({ amount_pence: 100_000 });
    const rest = exceptions.find(({ kind }) => kind === 'credit');
    if (!rest) throw new Error('the trader’s payment raised no exception');
    expect(rest.candidates).toMatchObject([{ applied_pence: 100_000, missing_pence: 0 }]);
    await matchCredit(olga, trader, rest);
    expect((await findAdvance(trader)).state).toBe('settled');
    expect(await trialBalance(portal, trader.companyId)).toEqual({ cash: 4_700, fee_income: -4_700 });
  });

  it('is raised the day after HMRC was expected to pay, accepts notes and ends when HMRC pays', async () => {
    const trader = await paidTrader(portal, 'overdue@trader.example', 4_600);
    const { advance_id } = await findAdvance(trader);
    expect(await listTraderExceptions(trader)).toEqual([]);
    portal.moveClock('2026-12-11T10:00:00.000Z');
    // After a month all sessions have expired.
    [olga, omar] = [await createOperator(portal, 'olga2@operators.example'), await createOperator(portal, 'omar2@operators.example')];
    const [overdue] = await listTraderExceptions(trader);
    expect(overdue).toMatchObject({ kind: 'overdue', subject_id: advance_id, amount_pence: 460_000, candidates: [], notes: [] });
    const note = { company_id: trader.companyId, subject_id: advance_id, note_id: crypto.randomUUID(), text: 'HMRC asked for invoices' };
    expect((await olga.post('/operator/matters/note', note)).status).toBe(200);
    expect((await olga.post('/operator/matters/note', note)).status).toBe(200);
    expect((await listTraderExceptions(trader))[0]?.notes).toMatchObject([{ text: 'HMRC asked for invoices' }]);
    expect((await listAuditActions(advance_id)).filter((action) => action === 'reconciliation.note_added')).toHaveLength(1);
    await portal.hmrc.moveRepayment(trader.vrn, trader.obligation.periodKey, 'PAID');
    await vi.waitFor(async () => expect(await listTraderExceptions(trader)).toEqual([]), WAIT_OPTIONS);
  });
});
