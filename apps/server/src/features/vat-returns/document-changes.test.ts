/** Tests which documents of a return changed after its figures were approved or filed: in each box, in order, counted and for how long. */
import { randomUUID } from 'node:crypto';
import { booksFiles, filings, obligations, returnApprovals } from '@portal/db/schema/schema.ts';
import { and, asc, eq } from '@portal/db/sql.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { pence } from '@portal/domain/money.ts';
import { addDays } from '@portal/domain/plain-date.ts';
import type { BooksProviderName } from '@portal/domain/connected-books/books-providers.ts';
import { describe, expect, it } from 'vitest';
import { connectBooks, getReturn, seedOrganisation } from '../../testing/books-steps.ts';
import { deleteUnusedBooks } from '../books-connection/delete-read-books.ts';
import { PERIOD_END, PERIOD_START, type PracticeBooksSetup, setUpPracticeBooks } from '../../testing/practice-books-setup.ts';
import { createConnectedTrader, type Trader } from '../../testing/test-trader.ts';

const current = setUpPracticeBooks();

type Row = { reference: string; amount_pence: number; change: string | null; other_amount_pence: number | null; is_in_figures: boolean };
type Key = { company_id: string; obligation_id: string };

/** Only what these tests compare. */
const toRow = ({ reference, amount_pence, change, other_amount_pence, is_in_figures }: Row): Row => ({
  reference,
  amount_pence,
  change,
  other_amount_pence,
  is_in_figures,
});
const createUnchangedRow = (reference: string, amount_pence: number): Row => ({
  reference,
  amount_pence,
  change: null,
  other_amount_pence: null,
  is_in_figures: true,
});

/** A client with a sale INV-1 of £50,000.00 and purchases B-1 of £20,000.00 and B-2 of £100.00 plus VAT. */
class ClientBooks {
  readonly setup: PracticeBooksSetup;
  readonly clientId: string;
  readonly organisationId: string;
  readonly key: Key & { client_id: string };

  constructor(setup: PracticeBooksSetup, clientId: string, organisationId: string, key: Key & { client_id: string }) {
    this.setup = setup;
    this.clientId = clientId;
    this.organisationId = organisationId;
    this.key = key;
  }

  readonly put = (id: string, reference: string, netPounds: number, settings: object = {}): void => {
    const amounts = { netPence: pence(netPounds * 100), vatPence: pence(netPounds * 20) };
    const entry = { id, reference, counterparty: 'Oak Ltd', date: PERIOD_START, ...amounts, ...settings };
    this.setup.portal.identity.books.xero.putEntry(this.organisationId, entry);
  };

  remove(id: string): void {
    this.setup.portal.identity.books.xero.removeEntry(this.organisationId, id);
  }

  read(): Promise<void> {
    return this.setup.readAgain(this.clientId);
  }

  async approve(): Promise<void> {
    const { figures_version } = await this.setup.getFigures(this.clientId);
    const statement = { ...this.key, figures_version, reason: 'Approved by phone on Monday', confirm: true };
    const { status } = await this.setup.practice.admin.post('/client/vat-return/approved-outside', statement);
    if (status !== 200) throw new Error(`not approved: ${status}`);
  }

  async list(box: string, query: object = {}) {
    const { body } = await this.setup.practice.admin.get('/client/vat-return/transactions', { ...this.key, box, ...query });
    return { ...body, transactions: (body['transactions'] as Row[]).map(toRow) };
  }

  async getChanges() {
    return (await this.setup.getFigures(this.clientId))['changes'];
  }

  /** Sets up the state after six reads, each of which found other documents in other periods. The software limits the reads themselves. */
  async readOftenUnchanged(): Promise<void> {
    const { db } = this.setup.portal.deps.database;
    const taxpayer = { companyId: this.clientId, practiceId: this.setup.practice.companyId };
    const [newestFile] = (await this.listFiles()).toReversed();
    if (!newestFile?.appliedAt) throw new Error('no books were read');
    for (let count = 1; count <= 6; count += 1) {
      const appliedAt = addMilliseconds(newestFile.appliedAt, count);
      await db.insert(booksFiles).values({ ...newestFile, id: randomUUID(), appliedAt });
    }
    await db.transaction((tx) => deleteUnusedBooks(tx, taxpayer));
  }

  listFiles() {
    const { db } = this.setup.portal.deps.database;
    return db.select().from(booksFiles).where(eq(booksFiles.companyId, this.clientId)).orderBy(asc(booksFiles.appliedAt));
  }
}

async function connectClient(prepare: (books: ClientBooks) => void = () => {}): Promise<ClientBooks> {
  const setup = current();
  const { clientId, organisationId } = await setup.connectClient();
  const books = new ClientBooks(setup, clientId, organisationId, await setup.getClientReturn(clientId));
  books.put('3', 'B-2', 100);
  prepare(books);
  await books.read();
  return books;
}

describe('a client’s approved return', () => {
  it('marks what was added, changed and removed since, with the former amounts', async () => {
    const books = await connectClient();
    expect(await books.getChanges()).toBeNull();
    await books.approve();
    expect(await books.getChanges()).toMatchObject({ since: 'approval', at: expect.any(String), documents: 0, boxes: [] });
    books.put('3', 'B-2', 150);
    books.put('4', 'B-3', 40);
    books.remove('1');
    await books.read();
    expect(await books.getChanges()).toEqual({
      since: 'approval',
      at: expect.stringMatching(/^20/),
      documents: 3,
      boxes: [
        { box: '4', documents: 2 },
        { box: '6', documents: 1 },
        { box: '7', documents: 2 },
      ],
    });
    const changedRow = { ...createUnchangedRow('B-2', 3_000), change: 'changed', other_amount_pence: 2_000 };
    const addedRow = { ...createUnchangedRow('B-3', 800), change: 'added' };
    expect(await books.list('4')).toMatchObject({
      transactions: [changedRow, addedRow, createUnchangedRow('B-1', 400_000)],
      total_pence: 403_800,
      rows: 3,
      other_rows: 0,
      changes: { since: 'approval', documents: 2 },
    });
    const removedRow = { reference: 'INV-1', amount_pence: 0, change: 'removed', other_amount_pence: 5_000_000, is_in_figures: false };
    expect(await books.list('6')).toMatchObject({ transactions: [removedRow], total_pence: 0, rows: 0, other_rows: 1 });
    expect(await books.list('4', { show: 'changed' })).toMatchObject({ transactions: [changedRow, addedRow], total_pence: 3_800, rows: 2 });
    expect(await books.list('7', { show: 'changed', search: 'b-3' })).toMatchObject({ rows: 1, transactions: [{ reference: 'B-3' }] });
    expect(await books.list('6', { search: 'oslo' })).toMatchObject({ transactions: [removedRow] });
    expect(await books.list('6', { search: 'glass' })).toMatchObject({ transactions: [], other_rows: 0 });
  });

  it('marks nothing if only a name, or the part of a document in other boxes, has changed', async () => {
    const books = await connectClient();
    await books.approve();
    books.put('3', 'B-2', 100, { counterparty: 'Oak and Ash Ltd', date: PERIOD_END });
    books.put('2', 'B-1', 20_000, { counterparty: 'Glass Ltd', netPence: pence(2_100_000), vatPence: pence(400_000) });
    await books.read();
    expect(await books.getChanges()).toMatchObject({ documents: 1, boxes: [{ box: '7', documents: 1 }] });
    expect(await books.list('4')).toMatchObject({
      transactions: [createUnchangedRow('B-2', 2_000), createUnchangedRow('B-1', 400_000)].toReversed(),
    });
  });

  it('counts a document that moved to another period or box as removed from its box', async () => {
    const books = await connectClient();
    await books.approve();
    books.put('3', 'B-2', 100, { date: '2026-10-01' });
    await books.read();
    expect(await books.list('4')).toMatchObject({
      transactions: [
        createUnchangedRow('B-1', 400_000),
        { reference: 'B-2', change: 'removed', other_amount_pence: 2_000, is_in_figures: false },
      ],
    });
  });

  it('lists removed documents after the others, over pages', async () => {
    const books = await connectClient(({ put }) => {
      for (let number = 10; number < 230; number += 1) put(String(number), `C-${number}`, 1);
    });
    await books.approve();
    for (let number = 10; number < 20; number += 1) books.remove(String(number));
    await books.read();
    const first = (await books.list('4')) as unknown as { transactions: Row[]; next_after_line: number };
    const second = (await books.list('4', { after_line: first.next_after_line })) as unknown as {
      transactions: Row[];
      next_after_line: number | null;
    };
    const all = [...first.transactions, ...second.transactions];
    expect([first.transactions.length, second.transactions.length, second.next_after_line]).toEqual([200, 22, null]);
    expect(new Set(all.map(({ reference }) => reference)).size).toBe(222);
    expect(all.slice(-10).every(({ change, is_in_figures }) => change === 'removed' && !is_in_figures)).toBe(true);
    expect(first).toMatchObject({ rows: 212, other_rows: 10 });
  });

  it('keeps the approved documents while the return is open, but not those of an earlier approval', async () => {
    const books = await connectClient();
    const listIds = async () => (await books.listFiles()).map(({ id }) => id);
    const approveNewest = async () => {
      await books.approve();
      return (await listIds()).at(-1);
    };
    const first = await approveNewest();
    await books.readOftenUnchanged();
    expect(await listIds()).toContain(first);
    books.put('3', 'B-2', 150);
    await books.read();
    expect((await books.list('4', { show: 'changed' })).transactions).toMatchObject([{ amount_pence: 3_000, other_amount_pence: 2_000 }]);
    const second = await approveNewest();
    await books.readOftenUnchanged();
    expect(await listIds()).not.toContain(first);
    expect(await listIds()).toContain(second);
    const isClients = eq(obligations.companyId, books.clientId);
    await books.setup.db().update(obligations).set({ status: 'fulfilled' }).where(isClients);
    await books.readOftenUnchanged();
    expect(await listIds()).not.toContain(second);
  });

  it('never changes which documents were approved', async () => {
    const books = await connectClient();
    await books.approve();
    const { db } = books.setup.portal.deps.database;
    const forge = db.update(returnApprovals).set({ fileId: randomUUID() }).where(eq(returnApprovals.clientId, books.clientId));
    await expect(forge).rejects.toMatchObject({ cause: expect.objectContaining({ message: expect.stringContaining('refused') }) });
  });

  it('has nothing to compare with once the organisation’s figures are gone', async () => {
    const books = await connectClient();
    await books.approve();
    const ids = { company_id: books.setup.practice.companyId, client_id: books.clientId };
    expect((await books.setup.practice.admin.post('/client/books/connection/disconnect', ids)).status).toBe(200);
    expect(await books.getChanges()).toBeNull();
    expect(await books.listFiles()).toEqual([]);
  });
});

describe('a trader’s own return', () => {
  const setUpTrader = async (provider: BooksProviderName) => {
    const { portal, number } = current();
    const trader = await createConnectedTrader(portal, `changes${number}@tess.example`, null, { isVerified: false });
    const { organisationId, ...setup } = seedOrganisation(portal, provider, trader);
    await connectBooks(portal, trader, provider, { organisationId, ...setup });
    const post = async (path: string, input: object = {}) => {
      const { body } = await trader.browser.post(`/instant-vat/books/connection/${path}`, { company_id: trader.companyId, ...input });
      await portal.runJobs();
      return body;
    };
    await portal.runJobs();
    if (provider !== 'xero') await post('basis', { basis: 'accrual' });
    const change = async (id: string, netPounds: number) => {
      const amounts = { netPence: pence(netPounds * 100), vatPence: pence(netPounds * 20) };
      portal.identity.books[provider].putEntry(organisationId, { id, date: trader.obligation.periodEnd, ...amounts });
      await post('read');
    };
    return { portal, trader, change };
  };
  const getKey = ({ companyId, obligation }: Trader): Key => ({ company_id: companyId, obligation_id: obligation.id });
  const file = async (trader: Trader) => {
    const { figures_version } = await getReturn(trader);
    const input = { ...getKey(trader), figures_version, declaration_accepted: true };
    return trader.browser.post('/instant-vat/vat-return/file', input, { 'idempotency-key': randomUUID() });
  };
  const list = async (trader: Trader, box: string) => {
    const { body } = await trader.browser.get('/instant-vat/vat-return/transactions', { ...getKey(trader), box });
    return { ...body, transactions: (body['transactions'] as Row[]).map(toRow) };
  };

  it.each(['xero', 'quickbooks', 'freeagent'] as const)('filed from %s marks what changed in the books afterwards', async (provider) => {
    const { trader, change } = await setUpTrader(provider);
    expect((await file(trader)).body).toMatchObject({ obligation: { state: 'filed_awaiting_hmrc' }, changes: { documents: 0 } });
    await change('2', 15_000);
    await change('3', 50);
    expect((await getReturn(trader))['changes']).toMatchObject({ since: 'filing', documents: 2 });
    // The box is what was filed, so what was added later isn't part of it.
    expect(await list(trader, '4')).toMatchObject({
      transactions: [
        { ...createUnchangedRow('B-1', 400_000), change: 'changed', other_amount_pence: 300_000 },
        { amount_pence: 0, change: 'added', other_amount_pence: 1_000, is_in_figures: false },
      ],
      total_pence: 400_000,
      rows: 1,
      other_rows: 1,
    });
  });

  it('that HMRC rejected marks what changed since the trader’s approval, not since the filing', async () => {
    const { portal, trader, change } = await setUpTrader('xero');
    await file(trader);
    // As after an answer in which HMRC refuses the return.
    await portal.deps.database.db
      .update(filings)
      .set({ state: 'refused', refusal: 'HMRC refused it.' })
      .where(and(eq(filings.companyId, trader.companyId), eq(filings.obligationId, trader.obligation.id)));
    await change('2', 15_000);
    expect((await getReturn(trader))['changes']).toMatchObject({ since: 'approval', documents: 1 });
    expect(await list(trader, '4')).toMatchObject({
      transactions: [{ ...createUnchangedRow('B-1', 300_000), change: 'changed', other_amount_pence: 400_000 }],
    });
  });

  it('isn’t compared with the next quarter’s file, which doesn’t cover it, even if that has a late document', async () => {
    const { portal, number } = current();
    const trader = await createConnectedTrader(portal, `quarters${number}@tess.example`, null);
    const { periodStart, periodEnd } = trader.obligation;
    const upload = async (...rows: string[]) => {
      const content = ['date,kind,reference,counterparty,description,net,vat,treatment', ...rows].join('\n');
      const { body } = await trader.browser.upload(
        '/instant-vat/books/file',
        { company_id: trader.companyId, file_name: 'b.csv' },
        content,
      );
      const pending = body['pending'] as { upload_id: string } | null;
      if (!pending) return;
      await trader.browser.post('/instant-vat/books/apply', { company_id: trader.companyId, upload_id: pending.upload_id });
    };
    const sale = `${periodStart},sale,INV-1,Oslo AS,Lamps,50000.00,0.00,zero`;
    const late = `${periodEnd},purchase,LATE,Glass Ltd,Shades,100.00,20.00,standard`;
    const bills = Array.from({ length: 50 }, (_, index) => `${periodStart},purchase,B-${index},Glass Ltd,Shades,100.00,20.00,standard`);
    await upload(sale, ...bills);
    expect((await file(trader)).status).toBe(200);
    const next = `${addDays(periodEnd, 5)},sale,INV-9,Oslo AS,Lamps,50000.00,0.00,zero`;
    await upload(next, late);
    expect((await getReturn(trader))['changes']).toBeNull();
    await upload(sale, ...bills, next, late);
    expect((await getReturn(trader))['changes']).toMatchObject({ since: 'filing', documents: 1 });
  });
});
