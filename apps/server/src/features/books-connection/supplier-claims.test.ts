/** Tests VAT claimed from suppliers whose contact in the bookkeeping software has no VAT number, from its API to the return. */
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
function addBill(
  provider: 'xero' | 'freeagent',
  { organisationId }: BooksSetup,
  id: number,
  supplierVatNumber: string | null = null,
): void {
  const { periodStart: date } = trader.obligation;
  const entry = { id: String(id), reference: `OAK-${id}`, counterparty: 'Oak Ltd', supplierVatNumber };
  portal.identity.books[provider].putEntry(organisationId, { ...entry, date, netPence: pence(10_000), vatPence: pence(2_000) });
}

async function connect(provider: 'xero' | 'freeagent', bills: number): Promise<BooksSetup> {
  const setup = seedOrganisation(portal, provider, trader);
  for (let id = 10; id < 10 + bills; id += 1) addBill(provider, setup, id);
  await connectBooks(portal, trader, provider, setup);
  await portal.runJobs();
  if (provider === 'freeagent') await post('basis', { basis: 'accrual' });
  return setup;
}

describe.each(['xero', 'freeagent'] as const)('a supplier without a VAT number in %s', (provider) => {
  const name = provider === 'xero' ? 'Xero' : 'FreeAgent';

  it('is one hint with its documents and their VAT, which disappears when the number is entered in the software', async () => {
    const setup = await connect(provider, 3);
    expect(await listFindings()).toEqual([
      {
        code: 'supplier_vat_number',
        severity: 'info',
        sentence: `Check Oak Ltd: £60.00 of VAT is claimed on 3 documents, but its contact in ${name} has no VAT number.`,
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
