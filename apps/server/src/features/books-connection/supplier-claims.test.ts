/** Tests VAT claimed from suppliers whose contact in the bookkeeping software has no VAT number, from its API to the return. */
import { BOOKS_PROVIDER_NAMES, BOOKS_PROVIDERS, type BooksProviderName } from '@portal/domain/connected-books/books-providers.ts';
import { sql } from '@portal/db/sql.ts';
import { pence } from '@portal/domain/money.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type BooksSetup, connectBooks, getBooksState, getReturn, seedOrganisation } from '../../testing/books-steps.ts';
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
  trader = await createConnectedTrader(portal, `suppliers${number}@tess.example`, null, { isVerified: false });
});

type Check = { readonly code: string; readonly severity: string; readonly sentence: string };

const listChecks = async (): Promise<Check[]> => (await getReturn(trader))['checks'] as Check[];
const listFindings = async () => (await listChecks()).filter(({ code }) => code === 'supplier_vat_number');
const post = async (path: string, input: object = {}) => {
  await trader.browser.post(`/instant-vat/books/connection/${path}`, { company_id: trader.companyId, ...input });
  await portal.runJobs();
};

/** Adds a bill of £120.00 from a supplier without a VAT number. */
function addBill(provider: BooksProviderName, { organisationId }: BooksSetup, id: number, supplierVatNumber: string | null = null): void {
  const { periodStart: date } = trader.obligation;
  const entry = { id: String(id), reference: `OAK-${id}`, counterparty: 'Oak Ltd', supplierVatNumber };
  portal.identity.books[provider].putEntry(organisationId, { ...entry, date, netPence: pence(10_000), vatPence: pence(2_000) });
}

async function connect(provider: BooksProviderName, bills: number): Promise<BooksSetup> {
  const setup = seedOrganisation(portal, provider, trader);
  for (let id = 10; id < 10 + bills; id += 1) addBill(provider, setup, id);
  await connectBooks(portal, trader, provider, setup);
  await portal.runJobs();
  if (provider !== 'xero') await post('basis', { basis: 'accrual' });
  return setup;
}

describe.each(BOOKS_PROVIDERS)('a supplier without a VAT number in %s', (provider) => {
  const record =
    provider === 'quickbooks'
      ? 'supplier record in QuickBooks has no tax registration number'
      : `contact in ${BOOKS_PROVIDER_NAMES[provider]} has no VAT number`;

  it('is one hint with its documents and their VAT, which disappears when the number is entered in the software', async () => {
    const setup = await connect(provider, 3);
    expect(await listFindings()).toEqual([
      {
        code: 'supplier_vat_number',
        severity: 'info',
        sentence: `Check Oak Ltd: £60.00 of VAT is claimed on 3 documents, but its ${record}.`,
      },
    ]);
    expect((await listChecks()).map(({ code }) => code)).not.toContain('likely_wrong_codes');
    expect(await getReturn(trader)).toMatchObject({ obligation: { state: 'ready' }, boxes: { box4_pence: 406_000 } });
    const box = { company_id: trader.companyId, obligation_id: trader.obligation.id, box: '4' };
    const { body } = await trader.browser.get('/instant-vat/vat-return/transactions', box);
    const rows = body['transactions'] as { counterparty: string; document_flags: string[] }[];
    expect(new Set(rows.map(({ counterparty, document_flags: flags }) => `${counterparty}: ${flags.join()}`))).toEqual(
      new Set(['Glass Ltd: ', 'Oak Ltd: supplier_vat_number']),
    );
    expect(rows).toHaveLength(4);
    addBill(provider, setup, 20, 'GB 123 4567 82');
    await post('read');
    expect(await listFindings()).toEqual([]);
    expect(await getReturn(trader)).toMatchObject({ boxes: { box4_pence: 408_000 } });
  });
});

describe('a connection to Xero from before we requested contacts', () => {
  it('works without the hint, says so, and shows it once reconnected', async () => {
    const setup = await connect('xero', 1);
    expect(await getBooksState(trader)).toMatchObject({ connection: { status: 'connected', not_permitted: [] } });
    portal.identity.removeXeroScope('accounting.contacts.read');
    addBill('xero', setup, 11);
    await post('read');
    expect(await getBooksState(trader)).toMatchObject({
      connection: { status: 'connected', problem: null, not_permitted: ['supplier_vat_numbers'] },
    });
    expect(await getReturn(trader)).toMatchObject({ boxes: { box4_pence: 404_000 } });
    await connectBooks(portal, trader, 'xero', setup);
    await portal.runJobs();
    expect(await getBooksState(trader)).toMatchObject({ connection: { problem: null, not_permitted: [] } });
    expect((await listFindings()).map(({ sentence }) => sentence)).toEqual([
      expect.stringContaining('£40.00 of VAT is claimed on 2 documents'),
    ]);
  });
});

describe('a company that doesn’t record suppliers’ numbers in QuickBooks', () => {
  it('gets no hint, and the details of its books say why, until it records one', async () => {
    const setup = seedOrganisation(portal, 'quickbooks', trader);
    const entries = portal.identity.books.quickbooks;
    for (const { id, date, netPence, vatPence } of entries.listEntries(setup.organisationId))
      entries.putEntry(setup.organisationId, { id, date, netPence, vatPence, supplierVatNumber: null });
    addBill('quickbooks', setup, 10);
    await connectBooks(portal, trader, 'quickbooks', setup);
    await portal.runJobs();
    await post('basis', { basis: 'accrual' });
    expect(await getBooksState(trader)).toMatchObject({ connection: { problem: null, has_no_supplier_numbers: true } });
    expect(await listFindings()).toEqual([]);
    addBill('quickbooks', setup, 11, 'GB 123 4567 82');
    await post('read');
    expect(await getBooksState(trader)).toMatchObject({ connection: { has_no_supplier_numbers: false } });
    expect((await listFindings()).map(({ sentence }) => sentence)).toEqual([expect.stringContaining('Check Glass Ltd: ')]);
  });

  it('keeps no part of the numbers', async () => {
    await connect('quickbooks', 1);
    const { rows } = await portal.deps.database.db.execute(
      sql`select body from books_objects where company_id = ${trader.companyId}::uuid and resource = 'Vendor' order by object_id`,
    );
    expect(rows.map(({ body }) => JSON.parse(String(body)) as unknown)).toEqual([
      { Id: 'Glass Ltd', Country: null, hasTaxNumber: true },
      { Id: 'Oak Ltd', Country: null, hasTaxNumber: false },
    ]);
  });
});
