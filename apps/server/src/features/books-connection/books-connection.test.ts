/**
 * Tests books from Xero, QuickBooks and FreeAgent: connecting, reading, changes in the software, questions, losing access and
 * disconnecting.
 */
import { randomUUID } from 'node:crypto';
import { booksConnections, booksFiles, booksObjects, booksReads, obligations } from '@portal/db/schema/schema.ts';
import { and, asc, eq, gt } from '@portal/db/sql.ts';
import { addDays } from '@portal/domain/plain-date.ts';
import { pence } from '@portal/domain/money.ts';
import { BOOKS_PROVIDERS } from '@portal/domain/connected-books/books-providers.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { jobHandlers } from '../../job-handlers.ts';
import { connectBooks, getBooksState, getReturn, seedOrganisation } from '../../testing/books-steps.ts';
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
  trader = await createConnectedTrader(portal, `books${number}@tess.example`, null, { isVerified: false });
});

const getDb = () => portal.deps.database.db;
const getOutcomeParam = (location: string) => new URL(location, 'http://localhost').searchParams.get('outcome');
const post = async (path: string, input: object = {}) =>
  (await trader.browser.post(`/instant-vat/books/connection/${path}`, { company_id: trader.companyId, ...input })).body;
const reread = async () => {
  await post('read');
  await portal.runJobs();
};
const readChanges = async () => {
  const at = new Date(Date.parse(portal.deps.clock.now()) - 2 * 3_600_000).toISOString();
  await getDb()
    .update(booksReads)
    .set({ finishedAt: at as never })
    .where(eq(booksReads.companyId, trader.companyId));
  await jobHandlers(portal.deps)['books.sweep'](
    {},
    { id: '', attempt: 1, isLastAttempt: false, lostRuns: 0, signal: new AbortController().signal },
  );
  await portal.runJobs();
};

describe.each(BOOKS_PROVIDERS)('%s', (provider) => {
  it('gives the nine boxes, each with its documents in the software, and a return is filed from them', async () => {
    const setup = seedOrganisation(portal, provider, trader);
    expect(getOutcomeParam(await connectBooks(portal, trader, provider, setup))).toBe('books_connected');
    await portal.runJobs();
    if (provider !== 'xero') {
      expect((await getBooksState(trader)).connection?.problem?.code).toBe('basis_unknown');
      await post('basis', { basis: 'accrual' });
      await portal.runJobs();
    }
    expect(await getBooksState(trader)).toMatchObject({
      connection: {
        program: provider,
        status: 'connected',
        organisation_name: 'Tess Exports Ltd',
        basis: 'accrual',
        reading: null,
        problem: null,
      },
    });
    const before = await getReturn(trader);
    expect(before).toMatchObject({
      boxes: { box1_pence: 0, box4_pence: 400_000, box6_pounds: 50_000, box7_pounds: 20_000, direction: 'repayment' },
      rows: 2,
      flagged: 0,
    });
    const key = { company_id: trader.companyId, obligation_id: trader.obligation.id };
    const { body } = await trader.browser.get('/instant-vat/vat-return/transactions', { ...key, box: '4' });
    expect(body['transactions']).toMatchObject([{ reference: 'B-1', counterparty: 'Glass Ltd', amount_pence: 400_000 }]);
    expect(String((body['transactions'] as { link: string }[])[0]?.link)).toMatch(/bill|AccountsPayable/);
    const filedResponse = await trader.browser.post(
      '/instant-vat/vat-return/file',
      { ...key, figures_version: before['figures_version'], declaration_accepted: true },
      { 'idempotency-key': randomUUID() },
    );
    expect(filedResponse.body).toMatchObject({ obligation: { state: 'filed_awaiting_hmrc' } });
  });

  it('keeps its tokens sealed, and refreshes them when they have expired', async () => {
    const setup = seedOrganisation(portal, provider, trader);
    await connectBooks(portal, trader, provider, setup);
    await portal.runJobs();
    await getDb()
      .update(booksConnections)
      .set({ accessExpiresAt: portal.deps.clock.now() })
      .where(eq(booksConnections.companyId, trader.companyId));
    await reread();
    const [row] = await getDb().select().from(booksConnections).where(eq(booksConnections.companyId, trader.companyId));
    expect(String(row?.accessExpiresAt) > portal.deps.clock.now()).toBe(true);
    expect(row?.status).toBe('connected');
    const place = `books_refresh_token:${trader.companyId}` as const;
    expect(portal.deps.tokenCipher.open(row?.refreshToken ?? '', place)).not.toBe(row?.refreshToken);
    expect(() => portal.deps.tokenCipher.open(row?.refreshToken ?? '', 'books_refresh_token:another')).toThrow(/./);
  });

  it('is reported as lost once when it rejects our tokens: the owner gets an email and a notification, and the figures stay', async () => {
    const setup = seedOrganisation(portal, provider, trader);
    await connectBooks(portal, trader, provider, setup);
    await portal.runJobs();
    portal.identity.signIn[provider === 'quickbooks' ? 'intuit' : provider].revokeAccess(setup.email);
    await reread();
    await reread();
    expect((await getBooksState(trader)).connection).toMatchObject({ status: 'lost', lost_at: expect.any(String) });
    if (provider === 'xero') expect((await getReturn(trader))['checks']).toContainEqual(expect.objectContaining({ code: 'books_behind' }));
    const name = { xero: 'Xero', quickbooks: 'QuickBooks', freeagent: 'FreeAgent' }[provider];
    const emails = portal.sentEmails.filter(
      ({ to, subject }) => to === `books${number}@tess.example` && subject.includes(`read ${name} any more`),
    );
    expect(emails).toHaveLength(1);
    const sessionResponse = await trader.browser.get('/v2/check-login');
    expect(sessionResponse.body['grant_notices']).toMatchObject([{ service: provider, state: 'ended', may_connect: true }]);
    expect(getOutcomeParam(await connectBooks(portal, trader, provider, setup))).toBe('books_connected');
    await portal.runJobs();
    expect((await getBooksState(trader)).connection?.status).toBe('connected');
  });

  it('keeps the figures when nothing has changed since', async () => {
    await connectBooks(portal, trader, provider, seedOrganisation(portal, provider, trader));
    if (provider !== 'xero') await post('basis', { basis: 'accrual' });
    await portal.runJobs();
    const first = await getReturn(trader);
    await readChanges();
    expect((await getReturn(trader))['figures_version']).toBe(first['figures_version']);
  });

  // An organisation of its own: Xero allows 60 calls a minute, and a test of more reads would wait for the next minute.
  it('reports what has changed since: new, changed and deleted documents', async () => {
    const setup = seedOrganisation(portal, provider, trader);
    const books = portal.identity.books[provider];
    await connectBooks(portal, trader, provider, setup);
    if (provider !== 'xero') await post('basis', { basis: 'accrual' });
    await portal.runJobs();
    const { periodStart, periodEnd } = trader.obligation;
    books.putEntry(setup.organisationId, { id: '3', date: addDays(periodStart, 1), netPence: pence(100_000), vatPence: pence(20_000) });
    books.putEntry(setup.organisationId, { id: '2', date: periodEnd, netPence: pence(1_000_000), vatPence: pence(200_000) });
    await readChanges();
    expect(await getReturn(trader)).toMatchObject({ boxes: { box4_pence: 220_000, box7_pounds: 11_000 }, rows: 3 });
    books.removeEntry(setup.organisationId, '3');
    await reread();
    expect(await getReturn(trader)).toMatchObject({ boxes: { box4_pence: 200_000 }, rows: 2 });
  });
});

describe('connecting', () => {
  it('stores nothing if the user declines, withholds a permission, or returns in another browser', async () => {
    const setup = seedOrganisation(portal, 'xero', trader);
    expect(getOutcomeParam(await connectBooks(portal, trader, 'xero', setup, { answer: 'deny' }))).toBe('books_declined');
    expect(getOutcomeParam(await connectBooks(portal, trader, 'xero', setup, { answer: 'without_scope' }))).toBe('books_no_permission');
    expect(await connectBooks(portal, trader, 'xero', setup, { returnsElsewhere: true })).toBe('404');
    expect((await getBooksState(trader)).connection).toBeNull();
  });

  it('shows until when the bookkeeper has locked the books', async () => {
    const lockedUntil = addDays(trader.obligation.periodStart, -1);
    const setup = seedOrganisation(portal, 'xero', trader, { lockedUntil });
    await connectBooks(portal, trader, 'xero', setup);
    await portal.runJobs();
    expect((await getBooksState(trader)).connection).toMatchObject({ status: 'connected', locked_until: lockedUntil });
  });

  it('says so if the organisation is connected to as many applications as Xero allows', async () => {
    const setup = seedOrganisation(portal, 'xero', trader, { isFull: true });
    expect(getOutcomeParam(await connectBooks(portal, trader, 'xero', setup))).toBe('books_no_organisation');
    expect((await getBooksState(trader)).connection).toBeNull();
  });

  it('offers the user’s organisations, and rejects those that can’t be used, with the reason', async () => {
    const setup = seedOrganisation(portal, 'xero', trader);
    const { email: ownerEmail } = setup;
    const add = (id: string, settings: Partial<Parameters<typeof seedOrganisation>[3]>) =>
      seedOrganisation(portal, 'xero', trader, { ...settings, id: `${id}-${number}`, ownerEmail }).organisationId;
    const refusedResponse = {
      flat_rate: add('flat', { name: 'Flat Ltd', scheme: 'flat_rate' }),
      not_registered: add('none', { name: 'None Ltd', vatNumber: null }),
      other_vat_number: add('other', { name: 'Other Ltd', vatNumber: '123456782' }),
      demo: add('demo', { name: 'Demo Company (UK)', isDemo: true }),
      no_access: add('role', { name: 'Role Ltd', isReadable: false }),
    };
    expect(getOutcomeParam(await connectBooks(portal, trader, 'xero', setup))).toBe('books_connected');
    const { connection } = await getBooksState(trader);
    expect(connection?.status).toBe('choosing');
    expect(connection?.organisations).toHaveLength(6);
    for (const [code, organisation_id] of Object.entries(refusedResponse)) {
      await post('organisation', { organisation_id });
      await portal.runJobs();
      expect((await getBooksState(trader)).connection?.problem).toMatchObject({
        code,
        title: expect.stringMatching(/./),
        text: expect.stringMatching(/./),
      });
      expect((await getReturn(trader))['boxes']).toBeNull();
    }
    await post('organisation', { organisation_id: setup.organisationId });
    await portal.runJobs();
    expect(await getReturn(trader)).toMatchObject({ boxes: { box4_pence: 400_000 } });
  });

  it('another user’s company returns not found', async () => {
    const otherTrader = await createConnectedTrader(portal, `stranger${number}@tess.example`, null, { isVerified: false });
    for (const path of ['read', 'disconnect'])
      expect((await otherTrader.browser.post(`/instant-vat/books/connection/${path}`, { company_id: trader.companyId })).status).toBe(404);
  });
});

describe('reading', () => {
  it('continues where a killed job left off', async () => {
    const setup = seedOrganisation(portal, 'xero', trader);
    await connectBooks(portal, trader, 'xero', setup);
    const abortedController = new AbortController();
    abortedController.abort();
    const run = { id: '', attempt: 1, isLastAttempt: false, lostRuns: 0, signal: abortedController.signal };
    // While the process is stopping, each run stores one page.
    await jobHandlers(portal.deps)['books.read']({ company_id: trader.companyId }, run);
    const [first] = await getDb().select().from(booksReads).where(eq(booksReads.companyId, trader.companyId));
    await jobHandlers(portal.deps)['books.read']({ company_id: trader.companyId }, run);
    const [second] = await getDb().select().from(booksReads).where(eq(booksReads.companyId, trader.companyId));
    expect(first?.status).toBe('reading');
    expect([second?.resource, second?.page]).not.toEqual([first?.resource, first?.page]);
    expect((await getBooksState(trader)).connection?.reading).toMatchObject({ objects: 0 });
    await portal.runJobs();
    expect(await getReturn(trader)).toMatchObject({ boxes: { box4_pence: 400_000 } });
  });

  it('asks once what a rate of the organisation’s own means, and remembers the answer', async () => {
    const setup = seedOrganisation(portal, 'quickbooks', trader);
    const books = portal.identity.books.quickbooks;
    const custom = { treatment: 'custom' as const, date: trader.obligation.periodEnd, netPence: pence(10_000), vatPence: pence(0) };
    books.putEntry(setup.organisationId, { id: '3', reference: 'B-3', ...custom });
    await connectBooks(portal, trader, 'quickbooks', setup);
    await post('basis', { basis: 'accrual' });
    await portal.runJobs();
    const { connection } = await getBooksState(trader);
    expect(connection?.problem?.code).toBe('rates_unknown');
    expect(connection?.questions).toMatchObject([{ name: 'Workshop materials', documents: 1, example: expect.stringContaining('B-3') }]);
    const code = connection?.questions[0]?.code;
    expect(await post('rates', { answers: [{ code, kind: 'sale', treatment: 'import_vat_paid' }] })).toMatchObject({
      code: 'input.invalid',
    });
    await post('rates', { answers: [{ code, kind: 'purchase', treatment: 'exempt' }] });
    await portal.runJobs();
    expect(await getReturn(trader)).toMatchObject({ boxes: { box4_pence: 400_000, box7_pounds: 20_100 } });
    books.putEntry(setup.organisationId, { id: '4', reference: 'B-4', ...custom });
    await reread();
    expect((await getBooksState(trader)).connection?.problem).toBeNull();
    expect(await getReturn(trader)).toMatchObject({ boxes: { box7_pounds: 20_200 } });
  });

  it('asks once what purchases in FreeAgent are that are marked for the reverse charge and as out of scope', async () => {
    const setup = seedOrganisation(portal, 'freeagent', trader);
    const custom = { treatment: 'custom' as const, date: trader.obligation.periodEnd, netPence: pence(10_000), vatPence: pence(0) };
    portal.identity.books.freeagent.putEntry(setup.organisationId, { id: '3', reference: 'B-3', ...custom });
    await connectBooks(portal, trader, 'freeagent', setup);
    await post('basis', { basis: 'accrual' });
    await portal.runJobs();
    const { connection } = await getBooksState(trader);
    expect(connection?.questions).toMatchObject([{ name: 'Reverse Charge, out of scope of VAT', documents: 1 }]);
    const answer = { code: connection?.questions[0]?.code, treatment: 'imported_services' };
    expect(await post('rates', { answers: [{ ...answer, kind: 'sale' }] })).toMatchObject({ code: 'input.invalid' });
    await post('rates', { answers: [{ ...answer, kind: 'purchase' }] });
    await portal.runJobs();
    const boxes = { box1_pence: 2_000, box4_pence: 402_000, box7_pounds: 20_100 };
    expect(await getReturn(trader)).toMatchObject({ boxes });
    await reread();
    expect((await getBooksState(trader)).connection?.problem).toBeNull();
    expect(await getReturn(trader)).toMatchObject({ boxes });
  });

  it('counts no VAT on a reverse charge that a user marks as zero-rated, and rejects that for ordinary VAT', async () => {
    const setup = seedOrganisation(portal, 'xero', trader);
    const custom = { treatment: 'custom' as const, date: trader.obligation.periodEnd, netPence: pence(10_000), vatPence: pence(0) };
    portal.identity.books.xero.putEntry(setup.organisationId, { id: '3', reference: 'B-3', ...custom });
    await connectBooks(portal, trader, 'xero', setup);
    await portal.runJobs();
    const answer = { code: (await getBooksState(trader)).connection?.questions[0]?.code, kind: 'purchase', zero_rated: true };
    expect(await post('rates', { answers: [{ ...answer, treatment: 'standard' }] })).toMatchObject({ code: 'input.invalid' });
    await post('rates', { answers: [{ ...answer, treatment: 'imported_services' }] });
    await portal.runJobs();
    expect(await getReturn(trader)).toMatchObject({
      boxes: { box1_pence: 0, box4_pence: 400_000, box6_pounds: 50_100, box7_pounds: 20_100 },
    });
  });

  it('lists documents that aren’t approved, which don’t count', async () => {
    const setup = seedOrganisation(portal, 'xero', trader);
    const draft = {
      date: trader.obligation.periodEnd,
      netPence: pence(30_000),
      vatPence: pence(6_000),
      reference: 'DRAFT-1',
      isDraft: true,
    };
    portal.identity.books.xero.putEntry(setup.organisationId, { id: '3', ...draft });
    await connectBooks(portal, trader, 'xero', setup);
    await portal.runJobs();
    expect((await getBooksState(trader)).connection).toMatchObject({
      draft_count: 1,
      drafts: [{ reference: 'DRAFT-1', vat_pence: 6_000 }],
    });
    const checks = (await getReturn(trader))['checks'] as { code: string }[];
    expect(checks.map(({ code }) => code)).toContain('unapproved_documents');
    expect(await getReturn(trader)).toMatchObject({ boxes: { box4_pence: 400_000 } });
  });

  it('finds what was posted late into a filed period, as from a file', async () => {
    const setup = seedOrganisation(portal, 'xero', trader);
    await connectBooks(portal, trader, 'xero', setup);
    await portal.runJobs();
    const key = { company_id: trader.companyId, obligation_id: trader.obligation.id };
    const { figures_version } = await getReturn(trader);
    await trader.browser.post(
      '/instant-vat/vat-return/file',
      { ...key, figures_version, declaration_accepted: true },
      { 'idempotency-key': randomUUID() },
    );
    const lateEntry = { id: '3', date: trader.obligation.periodEnd, netPence: pence(10_000), vatPence: pence(2_000), reference: 'LATE-1' };
    portal.identity.books.xero.putEntry(setup.organisationId, lateEntry);
    await reread();
    const [open] = await getDb()
      .select()
      .from(obligations)
      .where(and(eq(obligations.companyId, trader.companyId), gt(obligations.periodStart, trader.obligation.periodEnd)))
      .orderBy(asc(obligations.periodStart));
    const correctionsResponse = await trader.browser.get('/instant-vat/vat-return/corrections', { ...key, obligation_id: open?.id ?? '' });
    expect(correctionsResponse.body['periods']).toMatchObject([
      { rows: [{ kind: 'added', now: { reference: 'LATE-1' }, due_pence: -2_000 }] },
    ]);
  });
});

describe('disconnecting', () => {
  it('in Xero itself is noticed, and the figures stay', async () => {
    const setup = seedOrganisation(portal, 'xero', trader);
    await connectBooks(portal, trader, 'xero', setup);
    await portal.runJobs();
    portal.identity.removeFromXero(setup.organisationId);
    await reread();
    expect((await getBooksState(trader)).connection?.status).toBe('lost');
    expect(await getReturn(trader)).toMatchObject({ boxes: { box4_pence: 400_000 } });
  });

  it('ends our access to the software, deletes what was copied, and keeps the figures', async () => {
    const setup = seedOrganisation(portal, 'xero', trader);
    await connectBooks(portal, trader, 'xero', setup);
    await portal.runJobs();
    await post('disconnect');
    expect((await getBooksState(trader)).connection).toBeNull();
    expect(await getDb().select().from(booksObjects).where(eq(booksObjects.companyId, trader.companyId))).toEqual([]);
    expect(await getReturn(trader)).toMatchObject({ boxes: { box4_pence: 400_000 } });
    const files = await getDb().select().from(booksFiles).where(eq(booksFiles.companyId, trader.companyId));
    expect(files).toMatchObject([{ source: 'xero', fileName: 'Xero: Tess Exports Ltd' }]);
  });
});
