/** Tests that books mapped while they are read are those that the stored copy gives. */
import { randomUUID } from 'node:crypto';
import { booksFiles, booksRateAnswers, booksReads, users } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import { addDays } from '@portal/domain/plain-date.ts';
import { BOOKS_PROVIDERS } from '@portal/domain/connected-books/books-providers.ts';
import { pence } from '@portal/domain/money.ts';
import type { BooksCopy, BooksProvider } from '@portal/providers/connected-books/books-provider.ts';
import type { ConnectedBooks } from '@portal/providers/connected-books/connected-books.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectBooks, getReturn, seedOrganisation } from '../../testing/books-steps.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { createConnectedTrader } from '../../testing/test-trader.ts';
import { startApplying } from './books-reads.ts';
import type { BooksConnectionRow } from './find-books-connection.ts';
import { startMapping } from './map-books.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());

const addTrader = () => createConnectedTrader(portal, `${randomUUID()}@tess.example`, null, { isVerified: false });

describe.each(BOOKS_PROVIDERS)('%s', (provider) => {
  it.each(provider === 'quickbooks' ? (['accrual'] as const) : (['accrual', 'cash'] as const))(
    'gives the same rows from its pages as from the copy, on the %s basis',
    async (basis) => {
      const trader = await addTrader();
      const setup = seedOrganisation(portal, provider, trader, { scheme: basis });
      const { periodStart, periodEnd } = trader.obligation;
      for (let id = 3; id < 40; id += 1) {
        portal.identity.books[provider].putEntry(setup.organisationId, {
          id: String(id),
          date: addDays(periodStart, id % 20),
          kind: id % 3 === 0 ? 'sale' : 'purchase',
          netPence: pence((id % 5 === 0 ? -1 : 1) * id * 101),
          vatPence: pence((id % 5 === 0 ? -1 : 1) * Math.round(id * 20.2)),
          isDraft: id % 11 === 0,
          ...(id % 2 === 0 ? { paidOn: periodEnd } : {}),
        });
      }
      const { db } = portal.deps.database;
      await connectBooks(portal, trader, provider, setup);
      if (provider !== 'xero') {
        await portal.runJobs();
        await trader.browser.post('/instant-vat/books/connection/basis', { company_id: trader.companyId, basis });
        await portal.runJobs();
        await trader.browser.post('/instant-vat/books/connection/read', { company_id: trader.companyId });
      }
      await portal.runJobs();
      const figures = await getReturn(trader);
      expect(figures['rows']).toBeGreaterThan(10);
      const ofCompany = eq(booksFiles.companyId, trader.companyId);
      const files = await db.select().from(booksFiles).where(ofCompany);
      expect(files).toHaveLength(1);
      await db.transaction((tx) => startApplying(portal.deps, tx, { companyId: trader.companyId, practiceId: null }));
      await portal.runJobs();
      expect(await db.select().from(booksFiles).where(ofCompany)).toEqual(files);
      expect(await db.select().from(booksReads).where(eq(booksReads.companyId, trader.companyId))).toMatchObject([
        { status: 'done', problem: null },
      ]);
    },
  );
});

describe('a mapping while pages are read', () => {
  const toPage = (...ids: string[]) => ids.map((id) => ({ id, value: { id } }));

  /** Returns the ids that it was given, as the name. */
  const mapBooks = async (copy: BooksCopy) => {
    const ids: string[] = [];
    for (const resource of ['Payments', 'Invoices'])
      for await (const page of copy.pages(resource)) ids.push(...(page as { id: string }[]).map(({ id }) => id));
    return { name: ids.join(' ') } as ConnectedBooks;
  };

  async function start(map = mapBooks) {
    const connection = { companyId: randomUUID(), provider: 'xero', organisationId: 'o' } as BooksConnectionRow;
    const resources = ['Payments', 'Invoices'].map((name) => ({ name, isWhole: false }));
    const mapping = await startMapping(portal.deps.database.db, connection, { resources, mapBooks: map } as unknown as BooksProvider);
    const end = () => ['Payments', 'Invoices'].forEach((resource) => mapping.endResource(resource));
    return { connection, mapping, end };
  }

  it('has all pages in order, however slowly they come', async () => {
    const { mapping, end } = await start();
    mapping.addPage('Payments', toPage('1', '2'));
    await new Promise((resolve) => setTimeout(resolve, 5));
    mapping.addPage('Payments', toPage('3'));
    mapping.addPage('Invoices', toPage('1'));
    end();
    expect(await mapping.finish()).toEqual({ name: '1 2 3 1' });
  });

  it('leaves the work to the stored copy if a list changed while it was read, or the database stored a text differently', async () => {
    const moved = await start();
    moved.mapping.addPage('Invoices', toPage('1', '2'));
    moved.mapping.addPage('Invoices', toPage('2', '3'));
    moved.end();
    expect(await moved.mapping.finish()).toBeUndefined();
    const changed = await start();
    changed.mapping.discard();
    changed.end();
    expect(await changed.mapping.finish()).toBeUndefined();
  });

  it('leaves the work to the stored copy if a person has since answered what a rate means', async () => {
    const { connection, mapping, end } = await start();
    end();
    await addTrader();
    const [user] = await portal.deps.database.db.select({ id: users.id }).from(users).limit(1);
    await portal.deps.database.db.insert(booksRateAnswers).values({
      companyId: connection.companyId,
      provider: 'xero',
      organisationId: 'o',
      code: 'TAX001',
      name: 'Our rate',
      kind: 'sale',
      treatment: 'zero',
      answeredBy: user?.id ?? '',
      answeredAt: portal.deps.clock.now(),
    });
    expect(await mapping.finish()).toBeUndefined();
  });

  it('leaves the work to the stored copy if the mapping fails, so that the failure is reported once everything is stored', async () => {
    const { mapping, end } = await start(() => Promise.reject(new Error('a document that the mapping doesn’t expect')));
    end();
    expect(await mapping.finish()).toBeUndefined();
  });
});
