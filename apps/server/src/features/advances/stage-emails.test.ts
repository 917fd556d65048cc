/** Tests that each owner gets one email for each stage of a refund, however often the underlying work runs. */
import { randomUUID } from 'node:crypto';
import { filings, memberships, payouts, users } from '@portal/db/schema/schema.ts';
import { formatInstant, toLondonDate } from '@portal/domain/clock.ts';
import { addDays, formatDate } from '@portal/domain/plain-date.ts';
import { eq } from '@portal/db/sql.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { jobHandlers } from '../../job-handlers.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import {
  acceptAdvance,
  confirmCollection,
  createIdempotencyHeaders,
  createPaidTrader,
  createTraderWithFiledReturn,
  findAdvance,
  waitForState,
} from '../../testing/take-advance.ts';
import { createConnectedTrader, createOperator, type Trader } from '../../testing/test-trader.ts';
import { saveFilingOutcome } from '../vat-returns/save-filing-outcome.ts';
import { settlePayout } from './settle-payout.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());
afterEach(() => portal.moveClock('2026-11-10T09:00:00.000Z'));

const getDb = () => portal.deps.database.db;

/** Lists emails, except those about signing in. */
async function listStageEmails(email: string) {
  await portal.runJobs();
  return portal.sentEmails.filter(({ to, text }) => to === email && !text.includes('token='));
}

/** Adds another owner to the trader's company and returns the email address. */
async function addOwner(trader: Trader): Promise<string> {
  const [id, email, createdAt] = [randomUUID(), `${randomUUID()}@owners.example`, portal.deps.clock.now()];
  await getDb().insert(users).values({ id, email, fullName: 'Otto Owner', createdAt });
  await getDb().insert(memberships).values({ companyId: trader.companyId, userId: id, role: 'trader_owner', createdAt });
  return email;
}

async function fileReturn(trader: Trader): Promise<void> {
  const ids = { company_id: trader.companyId, obligation_id: trader.obligation.id };
  const { body } = await trader.browser.get('/instant-vat/vat-return', ids);
  const filing = { ...ids, figures_version: body['figures_version'], declaration_accepted: true };
  await trader.browser.post('/instant-vat/vat-return/file', filing, createIdempotencyHeaders());
  await trader.browser.post('/instant-vat/vat-return/file', filing, createIdempotencyHeaders());
  await portal.runJobs();
}

/** Repeats the work that a crash or a repeated webhook would repeat. */
async function repeatAllJobs(trader: Trader): Promise<void> {
  const { companyId, obligation } = trader;
  const run = { id: randomUUID(), attempt: 2, isLastAttempt: false, lostRuns: 1, signal: new AbortController().signal };
  const handlers = jobHandlers(portal.deps);
  const filing = await findFiling(trader);
  if (filing) await saveFilingOutcome(portal.deps, filing, { state: 'accepted', receiptSource: 'read_back' });
  await handlers['advance.quote']({ company_id: companyId, obligation_id: obligation.id }, run);
  const [payout] = await getDb().select().from(payouts).where(eq(payouts.companyId, companyId));
  if (payout) {
    await handlers['payout.submit']({ company_id: companyId, payout_id: payout.id }, run);
    await settlePayout(portal.deps, companyId, payout.id, { outcome: 'executed', at: portal.deps.clock.now() });
  }
  await handlers['payouts.poll']({}, run);
  await handlers['credits.poll']({}, run);
}

describe('the emails of a refund', () => {
  it('reach every owner once, from welcome to settlement, with the figures of each stage', async () => {
    const trader = await createConnectedTrader(portal, 'stages@trader.example', 4_021);
    const otherOwner = await addOwner(trader);
    await fileReturn(trader);
    const [filing, { valid_until }] = [await findFiling(trader), await findAdvance(trader)];
    await repeatAllJobs(trader);
    const acceptedAdvance = await acceptAdvance(portal, trader);
    const repeatedInput = { company_id: trader.companyId, advance_id: acceptedAdvance.advance_id, version: acceptedAdvance.version };
    await trader.browser.post(
      '/instant-vat/advance/accept',
      { ...repeatedInput, agreement_hash: acceptedAdvance.agreement.hash },
      createIdempotencyHeaders(),
    );
    await confirmCollection(portal, trader);
    await waitForState(trader, 'awaiting_hmrc');
    await repeatAllJobs(trader);
    await portal.hmrc.moveRepayment(trader.vrn, trader.obligation.periodKey, 'PAID');
    await waitForState(trader, 'settled');
    await repeatAllJobs(trader);

    const emails = await listStageEmails('stages@trader.example');
    expect(emails.map(({ subject }) => subject)).toEqual([
      'Welcome to Tidewater',
      'Tess Exports Ltd: we’ve received your books',
      'Tess Exports Ltd: VAT return filed',
      'Tess Exports Ltd: you could get £3,980.79 early',
      'Tess Exports Ltd: you accepted our offer of £3,980.79',
      'Tess Exports Ltd: we’ve paid you £3,980.79',
      'Tess Exports Ltd: HMRC has repaid £4,021.00',
    ]);
    const [welcomeEmail, books, filedText, offer, agreement, paidEmail, repaidText] = emails.map(({ text }) => text);
    const { periodStart, periodEnd } = trader.obligation;
    const period = `${formatDate(periodStart)} to ${formatDate(periodEnd)}`;
    expect(welcomeEmail).toContain('http://localhost/portal/home');
    expect(books).toContain(`File: books.csv\nTransactions: 2\nDates: ${period}`);
    const formBundleNumber = String(filing?.receipt?.body['formBundleNumber']);
    expect(filedText).toContain(`Period: ${period}\nHMRC owes you: £4,021.00\nHMRC receipt number: ${formBundleNumber}`);
    expect(offer).toContain('Refund from HMRC: £4,021.00\nOur fee: £40.21\nYou get: £3,980.79');
    expect(offer).toContain(`Offer open until: ${formatInstant(valid_until)}`);
    expect(agreement).toContain('1. What is sold. Tess Exports Ltd');
    expect(agreement).toContain(`SHA-256 of this agreement: ${acceptedAdvance.agreement.hash}`);
    expect(paidEmail).toContain('Paid to the account ending: 9911');
    expect(repaidText).toContain('HMRC repaid: £4,021.00');
    const sentSubjects = (await listStageEmails(otherOwner)).map(({ subject }) => subject);
    expect(sentSubjects).toEqual(emails.slice(2).map(({ subject }) => subject));
    for (const { html, text } of emails) {
      expect(html).toContain('<html lang="en-GB"');
      expect(text.match(/https?:\/\/\S+/g)).toHaveLength(1);
      expect(text).toContain('You’re receiving this because');
    }
  });

  it('say what is missing when HMRC repays less, and when the rest has arrived', async () => {
    const trader = await createPaidTrader(portal, 'less@trader.example', 4_023);
    await portal.hmrc.moveRepayment(trader.vrn, trader.obligation.periodKey, 'REPAYMENT_ADJUSTED', 300_000);
    await portal.hmrc.moveRepayment(trader.vrn, trader.obligation.periodKey, 'PAID');
    await waitForState(trader, 'shortfall');
    const [shortfall] = (await listStageEmails('less@trader.example')).slice(-1);
    expect(shortfall?.subject).toBe('Tess Exports Ltd: £1,023.00 is due by 24 November 2026');
    expect(shortfall?.text).toContain('So far £3,000.00 of it has arrived');
    await payRest(trader, 102_300);
    await waitForState(trader, 'settled');
    const subjects = (await listStageEmails('less@trader.example')).map(({ subject }) => subject);
    expect(subjects.slice(-2)).toEqual([shortfall?.subject, 'Tess Exports Ltd: We’ve received £1,023.00. You’re all done']);
  });
});

describe('a refund that we decline', () => {
  const decline = async (email: string, refundPounds: number, isConfirmed: boolean) => {
    const trader = await createTraderWithFiledReturn(portal, email, refundPounds);
    const { advance_id } = await acceptAdvance(portal, trader);
    if (isConfirmed) await confirmCollection(portal, trader);
    const olga = await createOperator(portal, `olga-${refundPounds}@operators.example`);
    const decision = { company_id: trader.companyId, advance_id, decision: 'decline', reason: 'The purchases don’t fit the business' };
    for (const attempt of [1, 2]) expect((await olga.post('/operator/advance/decide', decision)).status, `attempt ${attempt}`).toBe(200);
    const emails = await listStageEmails(email);
    return emails.filter(({ subject }) => subject.includes('can’t buy'));
  };

  it('is emailed to the owners once, without the reason, and says what to do at HMRC', async () => {
    const emails = await decline('declined@trader.example', 26_001, true);
    expect(emails.map(({ subject }) => subject)).toEqual(['Tess Exports Ltd: we can’t buy the refund of £26,001.00']);
    expect(emails[0]?.text).toContain('HMRC will repay £26,001.00 to Tess Exports Ltd as usual.');
    expect(emails[0]?.text).toContain('Change it back to your own bank account');
    expect(emails[0]?.text).not.toContain('purchases');
  });

  it('doesn’t assume that HMRC has the collection account before the trader confirms it', async () => {
    const [email] = await decline('unconfirmed@trader.example', 26_002, false);
    expect(email?.text).toContain('If you’ve given HMRC our collection account, change it back');
  });
});

describe('a repayment that is late', () => {
  it('is emailed to the owners once, the day after HMRC was expected to pay', async () => {
    const trader = await createPaidTrader(portal, 'late@trader.example', 4_027);
    const sweep = async () => {
      const run = { id: randomUUID(), attempt: 1, isLastAttempt: false, lostRuns: 0, signal: new AbortController().signal };
      await jobHandlers(portal.deps)['advances.sweep']({}, run);
      return (await listStageEmails('late@trader.example')).map(({ subject }) => subject).filter((subject) => subject.includes('late'));
    };
    const expectedOn = addDays(toLondonDate((await findFiling(trader))?.sentAt ?? portal.deps.clock.now()), 30);
    portal.moveClock(`${expectedOn}T22:00:00.000Z`);
    expect(await sweep()).toEqual([]);
    portal.moveClock(`${addDays(expectedOn, 1)}T10:00:00.000Z`);
    expect(await sweep()).toEqual(['Tess Exports Ltd: HMRC is late with the refund of £4,027.00']);
    expect(await sweep()).toHaveLength(1);
    expect((await listStageEmails('late@trader.example')).at(-1)?.text).toContain(`Expected by: ${formatDate(expectedOn)}`);
  });
});

async function findFiling({ companyId }: Trader) {
  const [filing] = await getDb().select().from(filings).where(eq(filings.companyId, companyId));
  return filing;
}

/** The trader pays exactly the remaining amount into the collection account, which is matched automatically. */
async function payRest(trader: Trader, amountPence: number): Promise<void> {
  const { collection_account: account } = await findAdvance(trader);
  portal.bank.creditAccount({
    sortCode: account?.sort_code ?? '',
    accountNumber: account?.account_number ?? '',
    amountPence,
    remitterName: 'Tess Exports Ltd',
    reference: 'REST',
  });
}
