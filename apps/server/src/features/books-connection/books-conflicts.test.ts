/**
 * Tests connected books when other events occur: a different organisation chosen during a read, an uploaded file, a quarter without
 * changes, unusual text.
 */
import { randomUUID } from 'node:crypto';
import { booksObjects } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import { addDays } from '@portal/domain/plain-date.ts';
import { pence } from '@portal/domain/money.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { jobHandlers } from '../../job-handlers.ts';
import { connectBooks, getBooksState, getReturn, seedOrganisation } from '../../testing/books-steps.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { createConnectedTrader, type Trader, uploadBooks } from '../../testing/test-trader.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());

const addTrader = () => createConnectedTrader(portal, `${randomUUID()}@tess.example`, null, { isVerified: false });
const post = (trader: Trader, path: string, input: object = {}) =>
  trader.browser.post(`/instant-vat/books/connection/${path}`, { company_id: trader.companyId, ...input });

it('another organisation chosen during a read has only its own documents', async () => {
  const trader = await addTrader();
  const first = seedOrganisation(portal, 'xero', trader, { refundPounds: 4_000 });
  const second = seedOrganisation(portal, 'xero', trader, { refundPounds: 1_000, ownerEmail: first.email });
  portal.identity.books.xero.putEntry(first.organisationId, {
    id: '9',
    date: trader.obligation.periodEnd,
    netPence: pence(100),
    vatPence: pence(20),
  });
  await connectBooks(portal, trader, 'xero', first);
  const read = () =>
    jobHandlers(portal.deps)['books.read'](
      { company_id: trader.companyId },
      { id: '', attempt: 1, isLastAttempt: false, lostRuns: 0, signal: new AbortController().signal },
    );
  for (let round = 0; round < 4; round += 1) {
    await post(trader, 'organisation', { organisation_id: first.organisationId });
    await Promise.all([read(), post(trader, 'organisation', { organisation_id: second.organisationId })]);
    await portal.runJobs();
    expect(await getReturn(trader)).toMatchObject({ boxes: { box4_pence: 100_000 }, rows: 2 });
    expect((await getBooksState(trader)).connection).toMatchObject({ organisation_id: second.organisationId, problem: null });
  }
  await Promise.all([read(), post(trader, 'read'), post(trader, 'disconnect')]);
  await portal.runJobs();
  const remainingRows = await portal.deps.database.db.select().from(booksObjects).where(eq(booksObjects.companyId, trader.companyId));
  expect(remainingRows).toEqual([]);
});

it('a file that was uploaded later is used until a user chooses the software’s figures again', async () => {
  const trader = await addTrader();
  const setup = seedOrganisation(portal, 'xero', trader);
  await connectBooks(portal, trader, 'xero', setup);
  await portal.runJobs();
  portal.moveClock('2026-11-22T09:00:00.000Z');
  await uploadBooks(trader, 3_000);
  await jobHandlers(portal.deps)['books.sweep'](
    {},
    { id: '', attempt: 1, isLastAttempt: false, lostRuns: 0, signal: new AbortController().signal },
  );
  await portal.runJobs();
  expect(await getReturn(trader)).toMatchObject({ boxes: { box4_pence: 300_000 } });
  expect((await getBooksState(trader)).connection?.problem?.code).toBe('file_in_use');
  portal.moveClock('2026-11-22T10:00:00.000Z');
  await post(trader, 'read');
  await portal.runJobs();
  expect(await getReturn(trader)).toMatchObject({ boxes: { box4_pence: 400_000 } });
});

it('a quarter without documents is a nil return, and text that the database can’t store is read', async () => {
  const trader = await addTrader();
  const setup = seedOrganisation(portal, 'xero', trader);
  const books = portal.identity.books.xero;
  const before = addDays(trader.obligation.periodStart, -10);
  for (const id of ['1', '2'])
    books.putEntry(setup.organisationId, {
      id,
      date: before,
      netPence: pence(100),
      vatPence: pence(20),
      counterparty: 'Nul\u0000 half\uD83D',
    });
  await connectBooks(portal, trader, 'xero', setup);
  await portal.runJobs();
  expect(await getReturn(trader)).toMatchObject({ boxes: { box1_pence: 0, box4_pence: 0, box6_pounds: 0, box7_pounds: 0 }, rows: 0 });
});
