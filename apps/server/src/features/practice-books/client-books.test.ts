/** One client's books: whose VAT number they have, when they are read automatically, and which of their figures are used. */
import {
  booksFiles,
  booksObjects,
  booksReads,
  booksVatFigures,
  clients,
  clientTurnovers,
  practiceOrganisations,
} from '@portal/db/schema/schema.ts';
import { and, desc, eq } from '@portal/db/sql.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { pence } from '@portal/domain/money.ts';
import { addDays, addMonths, getEndOfMonth, plainDate } from '@portal/domain/plain-date.ts';
import { describe, expect, it } from 'vitest';
import { jobHandlers } from '../../job-handlers.ts';
import { startRead } from '../books-connection/books-reads.ts';
import { assignClient } from '../../testing/add-practice.ts';
import { type PracticeBooksSetup, RUN, setUpPracticeBooks, VRNS } from '../../testing/practice-books-setup.ts';

const current = setUpPracticeBooks();

describe('a client without a VAT number', () => {
  it('gets an organisation’s books only after a user has confirmed that number', async () => {
    const setup = current();
    const name = `Harbour Bakery ${setup.number} Ltd`;
    const clientId = await setup.addClientWithReturn(name);
    const organisationId = setup.seed(name, VRNS[0] ?? '');
    await setup.connect();
    await setup.link(organisationId, clientId);
    await setup.portal.runJobs();
    expect((await setup.getState(clientId)).body).toMatchObject({
      connection: {
        problem: {
          code: 'vat_number_unconfirmed',
          title: `${name} has no VAT number here`,
          text: expect.stringContaining(`${name} has VAT number`),
        },
      },
    });
    const isDocument = and(eq(booksObjects.companyId, clientId), eq(booksObjects.resource, 'Invoices'));
    expect(await setup.db().select().from(booksObjects).where(isDocument)).toEqual([]);
    const ids = { company_id: setup.practice.companyId, client_id: clientId };
    const confirm = (vat_number: string, browser = setup.practice.admin) =>
      browser.post('/client/books/connection/vat-number', { ...ids, vat_number });
    expect(await confirm(VRNS[1] ?? '')).toMatchObject({ status: 409, body: { code: 'books.vat_number_changed' } });
    await assignClient(setup.portal, setup.practice.companyId, clientId, setup.practice.memberId);
    expect((await confirm(VRNS[0] ?? '', setup.practice.member)).status).toBe(403);
    expect((await confirm(VRNS[0] ?? '')).status).toBe(200);
    await setup.portal.runJobs();
    expect((await setup.getState(clientId)).body).toMatchObject({ connection: { problem: null } });
    expect(await setup.getFigures(clientId)).toMatchObject({ boxes: { box4_pence: 400_000 } });
    // A different VAT number in Xero must be confirmed separately.
    setup.portal.identity.books.xero.putOrganisation({ id: organisationId, name, ownerEmail: setup.email, vatNumber: VRNS[1] ?? '' });
    await setup.readAgain(clientId);
    expect((await setup.getState(clientId)).body).toMatchObject({ connection: { problem: { code: 'vat_number_unconfirmed' } } });
  });

  it('that gets one isn’t asked about: the numbers are compared', async () => {
    const setup = current();
    const { clientId } = await setup.connectClient();
    const ids = { company_id: setup.practice.companyId, client_id: clientId };
    const response = await setup.practice.admin.post('/client/books/connection/vat-number', { ...ids, vat_number: VRNS[0] ?? '' });
    expect(response).toMatchObject({ status: 409, body: { code: 'books.vat_number_known' } });
  });
});

it('figures of an organisation that is no longer the client’s are removed, and its approval is void', async () => {
  const setup = current();
  const { clientId } = await setup.connectClient();
  const key = await setup.getClientReturn(clientId);
  const { figures_version } = await setup.getFigures(clientId);
  const approvalInput = { ...key, figures_version, reason: 'Approved by phone on Monday', confirm: true };
  expect((await setup.practice.admin.post('/client/vat-return/approved-outside', approvalInput)).status).toBe(200);
  const ids = { company_id: setup.practice.companyId, client_id: clientId };
  expect((await setup.practice.admin.post('/client/books/connection/disconnect', ids)).status).toBe(200);
  expect(await setup.getFigures(clientId)).toMatchObject({ boxes: null });
  const { body } = await setup.practice.admin.get('/client/vat-return/approval', key);
  expect(body['approval']).toMatchObject({ state: 'changed' });
});

it('figures read under another VAT number than the client has now don’t count, from the moment that the number changes', async () => {
  const setup = current();
  const { clientId } = await setup.connectClient();
  expect(await setup.getFigures(clientId)).toMatchObject({ boxes: { box4_pence: 400_000 } });
  const setNumber = (vrn: string | undefined) =>
    setup
      .db()
      .update(clients)
      .set({ vrn: vrn ?? null })
      .where(eq(clients.id, clientId));
  // The business was incorporated, but the organisation in Xero still belongs to the old business.
  const key = await setup.getClientReturn(clientId);
  await setNumber(VRNS[1]);
  expect(await setup.getFigures(clientId, key)).toMatchObject({ boxes: null });
  await setNumber(VRNS[0]);
  expect(await setup.getFigures(clientId)).toMatchObject({ boxes: { box4_pence: 400_000 } });
  await setNumber(VRNS[1]);
  await setup.readAgain(clientId);
  expect((await setup.getState(clientId)).body).toMatchObject({ connection: { problem: { code: 'other_vat_number' } } });
  expect(await setup.db().select().from(booksFiles).where(eq(booksFiles.companyId, clientId))).toEqual([]);
});

async function ageOverOneHour(setup: PracticeBooksSetup, clientId: string): Promise<string> {
  const finishedAt = addMilliseconds(setup.portal.deps.clock.now(), -2 * 3_600_000);
  await setup.db().update(booksReads).set({ finishedAt }).where(eq(booksReads.companyId, clientId));
  return finishedAt;
}

it('books of a client that has left aren’t read each hour', async () => {
  const setup = current();
  const { clientId } = await setup.connectClient();
  const finishedAt = await ageOverOneHour(setup, clientId);
  const findBooksRead = async () => (await setup.db().select().from(booksReads).where(eq(booksReads.companyId, clientId)))[0];
  for (const status of ['inactive', 'closed'] as const) {
    await setup.db().update(clients).set({ status }).where(eq(clients.id, clientId));
    await setup.sweep();
    expect(await findBooksRead()).toMatchObject({ status: 'done', finishedAt });
  }
  await setup.db().update(clients).set({ status: 'active' }).where(eq(clients.id, clientId));
  await setup.sweep();
  expect((await findBooksRead())?.finishedAt).not.toBe(finishedAt);
});

it('Xero’s own figure is requested with the practice’s connection, and is removed with the link', async () => {
  const setup = current();
  const { clientId, organisationId } = await setup.connectClient();
  const { deps } = setup.portal;
  const { xero } = deps.practiceBooks;
  if (!xero) throw new Error('Xero isn’t set up');
  const isClients = eq(booksVatFigures.companyId, clientId);
  // The client's obligations are stored when someone opens its returns.
  await setup.getClientReturn(clientId);
  await setup.db().delete(booksVatFigures).where(isClients);
  const ids = { company_id: setup.practice.companyId, client_id: clientId };
  const readVatFigure = () => Promise.resolve({ vatPence: pence(-123_400), paidPence: undefined });
  // This portal offers no connections for a single company's books.
  const depsWithXero = { ...deps, books: {}, practiceBooks: { xero: { ...xero, readVatFigure } } };
  await jobHandlers(depsWithXero)['books.vat_figures'](ids, RUN);
  expect(await setup.db().select().from(booksVatFigures).where(isClients)).toMatchObject([{ vatPence: -123_400 }]);
  const hasComparison = async () =>
    ((await setup.getFigures(clientId))['checks'] as { code: string }[]).some(({ code }) => code.startsWith('vat_'));
  expect(await hasComparison()).toBe(true);
  await setup
    .db()
    .update(practiceOrganisations)
    .set({ goneAt: deps.clock.now() })
    .where(and(eq(practiceOrganisations.companyId, setup.practice.companyId), eq(practiceOrganisations.organisationId, organisationId)));
  expect(await hasComparison()).toBe(false);
});

it('VAT claimed from a supplier without a VAT number is a hint on the client’s return, once the practice’s permission includes contacts', async () => {
  const setup = current();
  const { clientId, organisationId } = await setup.connectClient();
  const { deps, identity } = setup.portal;
  const readChanges = async () => {
    const client = { companyId: clientId, practiceId: setup.practice.companyId };
    await setup.db().transaction((tx) => startRead(deps, tx, client, { isFull: false }));
    await setup.portal.runJobs();
    const { body } = await setup.getState(clientId);
    const checks = (await setup.getFigures(clientId))['checks'] as { code: string; sentence: string }[];
    const hints = checks.filter(({ code }) => code === 'supplier_vat_number').map(({ sentence }) => sentence);
    return { hints, notPermitted: (body['connection'] as { not_permitted: string[] }).not_permitted };
  };
  const bill = { id: '9', reference: 'OAK-9', counterparty: 'Oak Ltd', supplierVatNumber: null };
  const { date } = identity.books.xero.listEntries(organisationId)[0] ?? {};
  if (!date) throw new Error('the organisation has no documents');
  identity.books.xero.putEntry(organisationId, { ...bill, date, netPence: pence(10_000), vatPence: pence(2_000) });
  identity.removeXeroScope('accounting.contacts.read');
  expect(await readChanges()).toEqual({ hints: [], notPermitted: ['supplier_vat_numbers'] });
  expect(await setup.getFigures(clientId)).toMatchObject({ boxes: { box4_pence: 402_000 } });
  // Contacts are read even if they haven't changed since the last read.
  await setup.connect();
  expect(await readChanges()).toEqual({
    hints: ['Check Oak Ltd: £20.00 of VAT is claimed on 1 document, but its contact in Xero has no VAT number.'],
    notPermitted: [],
  });
});

it('turnover is stated for each month end, even while the books don’t change, and is removed with the organisation', async () => {
  const setup = current();
  const { clientId, organisationId } = await setup.connectClient();
  const sale = { id: '8', kind: 'sale' as const, netPence: pence(100_000), vatPence: pence(20_000) };
  setup.portal.identity.books.xero.putEntry(organisationId, { ...sale, date: plainDate('2025-05-01') });
  await setup.readAgain(clientId);
  const listEnds = async () => {
    const isClients = eq(clientTurnovers.clientId, clientId);
    return (await setup.db().select().from(clientTurnovers).where(isClients).orderBy(desc(clientTurnovers.endOn))).map(
      ({ endOn }) => endOn,
    );
  };
  const before = await listEnds();
  const [newestMonthEnd] = before;
  if (!newestMonthEnd) throw new Error('no turnover was stored');
  const next = getEndOfMonth(addMonths(newestMonthEnd, 1));
  setup.portal.moveClock(`${addDays(next, 2)}T09:00:00.000Z`);
  await setup.readAgain(clientId);
  expect(await listEnds()).toEqual([next, ...before]);
  await setup.unlink(organisationId);
  await setup.portal.runJobs();
  expect(await listEnds()).toEqual([]);
});
