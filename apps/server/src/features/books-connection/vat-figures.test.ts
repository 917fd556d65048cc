/**
 * Tests the boxes of an open return against the bookkeeping software's own VAT figure, which the simulators calculate from their documents.
 * Decision 70.
 */
import { randomUUID } from 'node:crypto';
import { booksConnections, booksVatFigures } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import { addMonths, getEndOfMonth } from '@portal/domain/plain-date.ts';
import { pence } from '@portal/domain/money.ts';
import { BOOKS_PROVIDERS, type BooksProviderName } from '@portal/domain/connected-books/books-providers.ts';
import type { NewOrganisation } from '@portal/sandbox/books/sandbox-books.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { jobHandlers } from '../../job-handlers.ts';
import { connectBooks, getReturn, seedOrganisation } from '../../testing/books-steps.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { createConnectedTrader, type Trader } from '../../testing/test-trader.ts';

let portal: TestPortal;
let trader: Trader;
let number = 0;

beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());
beforeEach(async () => {
  number += 1;
  trader = await createConnectedTrader(portal, `figures${number}@tess.example`, null, { isVerified: false });
});

const getDb = () => portal.deps.database.db;
const post = async (path: string, input: object = {}) => {
  const { body } = await trader.browser.post(`/instant-vat/books/connection/${path}`, { company_id: trader.companyId, ...input });
  await portal.runJobs();
  return body;
};

/** Returns the finding about the software's own VAT figure. */
async function getComparison(): Promise<{ code: string; severity: string; sentence: string } | undefined> {
  const checks = (await getReturn(trader))['checks'] as { code: string; severity: string; sentence: string }[];
  return checks.find(({ code }) => code.startsWith('vat_'));
}

async function connect(provider: BooksProviderName, settings: Partial<NewOrganisation> = {}, basis = 'accrual') {
  const setup = seedOrganisation(portal, provider, trader, settings);
  await connectBooks(portal, trader, provider, setup);
  await portal.runJobs();
  if (provider !== 'xero') await post('basis', { basis });
  return setup;
}

/** A manual posting to the VAT account, or a manual addition to FreeAgent's return. */
const buildCorrection = () => [{ date: trader.obligation.periodEnd, kind: 'correction' as const, pence: pence(12_345) }];

describe.each(BOOKS_PROVIDERS)('%s', (provider) => {
  const name = { xero: 'Xero’s VAT account', quickbooks: 'QuickBooks’ VAT control account', freeagent: 'FreeAgent’s VAT return' }[provider];

  it('agrees with the boxes that we calculate from its documents', async () => {
    await connect(provider);
    expect(await getComparison()).toEqual({
      code: 'vat_agrees',
      severity: 'info',
      sentence: `${name} agrees with these boxes: £4,000.00 to reclaim.`,
    });
  });

  it('differs by what a bookkeeper posted manually, which is shown with both amounts and never blocks the return', async () => {
    await connect(provider, { vatPostings: buildCorrection() });
    expect(await getComparison()).toMatchObject({
      code: 'vat_differs',
      severity: 'warn',
      sentence: expect.stringContaining(
        `${name} shows £3,876.55 to reclaim, these boxes show £4,000.00 to reclaim: a difference of £123.45. Check in`,
      ) as string,
    });
    expect(await getReturn(trader)).toMatchObject({ obligation: { state: 'ready' } });
  });

  it('differs by a user’s adjustment, which explains it', async () => {
    await connect(provider);
    const change = {
      adjustment_id: randomUUID(),
      box: '1',
      amount_pence: 5_000,
      reason: 'Fuel scale charge',
      figures_version: (await getReturn(trader))['figures_version'],
    };
    const key = { company_id: trader.companyId, obligation_id: trader.obligation.id };
    const { status } = await trader.browser.post('/instant-vat/vat-return/adjust', { ...key, ...change });
    expect(status).toBe(200);
    expect(await getComparison()).toMatchObject({
      code: 'vat_explained',
      severity: 'info',
      sentence: expect.stringContaining('a difference of £50.00. Your adjustments change the return by £50.00.') as string,
    });
  });

  it('is read again with the books, and deleted with them', async () => {
    const { organisationId, email } = await connect(provider);
    const books = portal.identity.books[provider];
    const settings = { id: organisationId, name: 'Tess Exports Ltd', ownerEmail: email, vatNumber: trader.vrn };
    books.putOrganisation({ ...settings, vatPostings: buildCorrection() });
    await post('read');
    expect((await getComparison())?.code).toBe('vat_differs');
    await post('disconnect');
    expect(await getComparison()).toBeUndefined();
    expect(await getDb().select().from(booksVatFigures).where(eq(booksVatFigures.companyId, trader.companyId))).toEqual([]);
  });
});

describe('a comparison', () => {
  it('leaves out payments to HMRC and repayments from it on Xero’s VAT account', async () => {
    const { periodStart: date } = trader.obligation;
    await connect('xero', { vatPostings: [{ date, kind: 'payment', pence: pence(-77_700) }] });
    expect((await getComparison())?.code).toBe('vat_agrees');
    const [figure] = await getDb().select().from(booksVatFigures).where(eq(booksVatFigures.companyId, trader.companyId));
    expect(figure).toMatchObject({ vatPence: -400_000, paidPence: 77_700 });
  });

  /** Cash accounting counts only the purchase with £4,000.00 of VAT, which has been paid. */
  const addPayment = async (provider: BooksProviderName, organisationId: string) => {
    const { periodEnd: date } = trader.obligation;
    const books = portal.identity.books[provider];
    books.putEntry(organisationId, { id: '2', date, netPence: pence(2_000_000), vatPence: pence(400_000), paidOn: date });
    books.putEntry(organisationId, { id: '3', reference: 'B-3', date, netPence: pence(50_000), vatPence: pence(10_000) });
    await post('read');
  };

  it('uses Xero’s trial balance of payments on cash accounting', async () => {
    const { organisationId } = await connect('xero', { scheme: 'cash' });
    await addPayment('xero', organisationId);
    expect(await getComparison()).toMatchObject({
      code: 'vat_agrees',
      sentence: expect.stringContaining('£4,000.00 to reclaim') as string,
    });
  });

  it('reports that the user chose a different basis from the one in FreeAgent', async () => {
    const { organisationId } = await connect('freeagent', {}, 'cash');
    await addPayment('freeagent', organisationId);
    expect(await getComparison()).toMatchObject({
      code: 'vat_explained',
      sentence: expect.stringMatching(/shows £4,100.00 to reclaim, these boxes show £4,000.00 .* for the other VAT accounting/) as string,
    });
  });

  it.each([
    ['the period is filed in QuickBooks', 'quickbooks', () => ({ filedUntil: trader.obligation.periodEnd }), 'marked as filed'],
    [
      'FreeAgent has other periods',
      'freeagent',
      () => ({ vatPeriodEnd: getEndOfMonth(addMonths(trader.obligation.periodEnd, 1)) }),
      'no VAT return for exactly these dates',
    ],
  ] as const)('says why there is none if %s', async (_case, provider, getSettings, reason) => {
    await connect(provider, getSettings());
    expect(await getComparison()).toMatchObject({
      code: 'vat_not_compared',
      severity: 'info',
      sentence: expect.stringContaining(reason) as string,
    });
  });

  it('says that the permission doesn’t include it, and shows it again after reconnecting', async () => {
    const { organisationId, email } = await connect('xero');
    const settings = { id: organisationId, name: 'Tess Exports Ltd', ownerEmail: email, vatNumber: trader.vrn };
    const readFigures = (isLastAttempt: boolean) =>
      jobHandlers(portal.deps)['books.vat_figures'](
        { company_id: trader.companyId },
        { id: '', attempt: 1, isLastAttempt, lostRuns: 0, signal: new AbortController().signal },
      );
    portal.identity.books.xero.putOrganisation({ ...settings, isReadable: false });
    await readFigures(false);
    expect(await getComparison()).toMatchObject({
      code: 'vat_not_compared',
      sentence: expect.stringContaining('Connect Xero again to add it') as string,
    });
    portal.identity.books.xero.putOrganisation({ ...settings, isReadable: true });
    await readFigures(false);
    expect((await getComparison())?.code).toBe('vat_agrees');
  });

  it('isn’t shown once the connection is lost', async () => {
    await connect('xero');
    await getDb().update(booksConnections).set({ status: 'lost' }).where(eq(booksConnections.companyId, trader.companyId));
    expect(await getComparison()).toBeUndefined();
  });
});
