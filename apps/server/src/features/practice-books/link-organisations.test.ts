/** Tests which organisations can be linked to which clients, by whom, and what a link may replace. */
import { booksConnections, booksFiles, obligations, practiceOrganisations } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { describe, expect, it } from 'vitest';
import { assignClient } from '../../testing/add-practice.ts';
import { seedOrganisation } from '../../testing/books-steps.ts';
import { connectGrant, listOrganisations } from '../../testing/practice-books-steps.ts';
import {
  getOutcomeParam,
  PERIOD_END,
  PERIOD_START,
  type PracticeBooksSetup,
  setUpPracticeBooks,
  VRNS,
} from '../../testing/practice-books-setup.ts';

const current = setUpPracticeBooks();

async function connectQuickBooks(setup: PracticeBooksSetup, clientId: string): Promise<void> {
  const period = { obligation: { periodStart: PERIOD_START, periodEnd: PERIOD_END }, vrn: VRNS[0] ?? '' } as never;
  const { email } = seedOrganisation(setup.portal, 'quickbooks', period, { refundPounds: 1_000 });
  const path = '/client/books/connection/connect';
  expect(getOutcomeParam(await connectGrant(setup.portal, setup.person(), 'quickbooks', email, path, { client_id: clientId }))).toBe(
    'books_connected',
  );
  await setup.portal.runJobs();
}

async function addFile({ portal, practice }: PracticeBooksSetup, clientId: string): Promise<void> {
  const at = portal.deps.clock.now();
  const file = { companyId: clientId, id: crypto.randomUUID(), fileName: 'books.csv', rows: 2, flagged: 0, uploadedBy: practice.adminId };
  await portal.deps.database.db.insert(booksFiles).values({ ...file, firstDate: PERIOD_START, lastDate: PERIOD_END, appliedAt: at });
}

const offer = ({ practice }: PracticeBooksSetup, clientId: string, input: object = {}) =>
  practice.admin.get('/client/books/connection/offered', { company_id: practice.companyId, client_id: clientId, ...input });

describe('a client’s own books', () => {
  it('are never replaced by a bulk confirmation: only by a choice for that client alone', async () => {
    const setup = current();
    const [ownClient, otherClient] = [
      await setup.addClientWithReturn('Harbour Bakery Ltd', VRNS[0]),
      await setup.addClientWithReturn('Quay Joinery Ltd', VRNS[1]),
    ];
    const [bakery, joinery] = [setup.seed('Harbour Bakery', VRNS[0] ?? ''), setup.seed('Quay Joinery', VRNS[1] ?? '')];
    await connectQuickBooks(setup, ownClient);
    const listedOrganisations = await setup.connect();
    expect(listedOrganisations.map(({ name, state, candidates }) => [name, state, candidates[0]?.own_books])).toEqual([
      ['Quay Joinery', 'sure', null],
      ['Harbour Bakery', 'review', { kind: 'connection', program: 'quickbooks', file_name: null }],
    ]);
    const toLink = (organisation_id: string, client_id: string) => ({ program: 'xero', organisation_id, client_id });
    const post = (links: object[]) =>
      setup.practice.admin.post('/open-tax/client-books/link', { company_id: setup.practice.companyId, links });
    expect(await post([toLink(joinery, otherClient), toLink(bakery, ownClient)])).toMatchObject({
      status: 409,
      body: { code: 'books.client_has_own_books', message: expect.stringContaining('Harbour Bakery Ltd’s books come from QuickBooks') },
    });
    expect((await post([toLink(joinery, otherClient), { ...toLink(bakery, ownClient), replace: true }])).status).toBe(400);
    await setup.portal.runJobs();
    expect((await listOrganisations(setup.practice.admin, setup.practice.companyId)).counts).toMatchObject({ linked: 0 });
    expect((await setup.getState(ownClient)).body).toMatchObject({ connection: { program: 'quickbooks', status: 'connected' } });
    expect((await post([{ ...toLink(bakery, ownClient), replace: true }])).status).toBe(200);
    await setup.portal.runJobs();
    expect((await setup.getState(ownClient)).body).toMatchObject({ connection: { program: 'xero' } });
  });

  it('can be a file of the open period, which the client’s page names too', async () => {
    const setup = current();
    const clientId = await setup.addClientWithReturn('Harbour Bakery Ltd', VRNS[0]);
    const organisationId = setup.seed('Harbour Bakery', VRNS[0] ?? '');
    await addFile(setup, clientId);
    expect(await setup.connect()).toMatchObject([
      { state: 'review', candidates: [{ own_books: { kind: 'file', file_name: 'books.csv' } }] },
    ]);
    expect((await offer(setup, clientId)).body).toMatchObject({ own_books: { file_name: 'books.csv' } });
    const input = { company_id: setup.practice.companyId, client_id: clientId, program: 'xero', organisation_id: organisationId };
    const refusedResponse = await setup.practice.admin.post('/client/books/connection/link', input);
    expect(refusedResponse).toMatchObject({ status: 409, body: { code: 'books.client_has_own_books' } });
    // Once the return is filed, the file no longer matters.
    await setup.getClientReturn(clientId);
    await setup.db().update(obligations).set({ status: 'fulfilled' }).where(eq(obligations.companyId, clientId));
    expect((await offer(setup, clientId)).body).toMatchObject({ own_books: null });
    expect((await setup.practice.admin.post('/client/books/connection/link', input)).status).toBe(200);
  });

  it('that are connected after a link win, even if its job runs later', async () => {
    const setup = current();
    const clientId = await setup.addClientWithReturn('Harbour Bakery Ltd', VRNS[0]);
    const organisationId = setup.seed('Harbour Bakery', VRNS[0] ?? '');
    await setup.connect();
    await connectQuickBooks(setup, clientId);
    const linkedAt = addMilliseconds(setup.portal.deps.clock.now(), -3_600_000);
    await setup
      .db()
      .update(practiceOrganisations)
      .set({ clientId, linkedBy: setup.practice.adminId, linkedAt })
      .where(eq(practiceOrganisations.organisationId, organisationId));
    await setup.sweep();
    expect(await setup.db().select().from(booksConnections).where(eq(booksConnections.companyId, clientId))).toMatchObject([
      { provider: 'quickbooks', isByGrant: false },
    ]);
    expect((await listOrganisations(setup.practice.admin, setup.practice.companyId)).counts).toMatchObject({ linked: 0 });
  });
});

it('a member neither links nor unlinks what belongs, or could only belong, to clients they may not see', async () => {
  const setup = current();
  const ownClient = await setup.addClientWithReturn('Harbour Bakery Ltd', VRNS[0]);
  const hiddenClient = await setup.addClientWithReturn('Quay Joinery Ltd', VRNS[1]);
  await setup.addClientWithReturn('Tyne Glass Ltd', VRNS[2]);
  const [linkedOrganisation, freeOrganisation] = [setup.seed('Quay Joinery', VRNS[1] ?? ''), setup.seed('Tyne Glass', VRNS[2] ?? '')];
  await setup.connect();
  expect((await setup.link(linkedOrganisation, hiddenClient)).status).toBe(200);
  await setup.permitMember();
  await assignClient(setup.portal, setup.practice.companyId, ownClient, setup.practice.memberId);
  const browser = setup.practice.member;
  for (const organisationId of [linkedOrganisation, freeOrganisation]) {
    const direct = { company_id: setup.practice.companyId, client_id: ownClient, program: 'xero', organisation_id: organisationId };
    const responses = [
      await setup.link(organisationId, ownClient, { browser }),
      await browser.post('/client/books/connection/link', direct),
      await setup.unlink(organisationId, browser),
    ];
    expect(responses.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(JSON.stringify(responses.map(({ body }) => body))).not.toMatch(/Quay|Tyne/);
  }
});

it('an organisation that is no longer covered is deleted once it is unlinked', async () => {
  const setup = current();
  const { clientId, organisationId } = await setup.connectClient();
  setup.portal.identity.removeFromXero(organisationId);
  await setup.readAgain(clientId);
  await setup.unlink(organisationId);
  await setup.portal.runJobs();
  expect((await listOrganisations(setup.practice.admin, setup.practice.companyId)).organisations).toEqual([]);
  expect((await offer(setup, clientId)).body).toMatchObject({ organisations: [] });
  expect((await setup.link(organisationId, clientId)).status).toBe(404);
});

it('the organisations beyond the listed ones are counted, and a search finds them', async () => {
  const setup = current();
  const { clientId, organisationId } = await setup.connectClient();
  await setup.unlink(organisationId);
  const at = setup.portal.deps.clock.now();
  const manyOrganisations = Array.from({ length: 120 }, (_, index) => `Organisation ${String(index).padStart(3, '0')}`);
  const values = manyOrganisations.map((name) => ({
    companyId: setup.practice.companyId,
    provider: 'xero' as const,
    organisationId: name,
    name,
  }));
  await setup
    .db()
    .insert(practiceOrganisations)
    .values(values.map((item) => ({ ...item, detailsReadAt: at })));
  const { body } = await offer(setup, clientId);
  expect(body).toMatchObject({ more: 21, organisations: expect.arrayContaining([expect.objectContaining({ is_match: true })]) });
  expect(body['organisations']).toHaveLength(100);
  expect((await offer(setup, clientId, { search: 'sation 119' })).body).toMatchObject({
    more: 0,
    organisations: [{ name: 'Organisation 119', is_unreadable: false }],
  });
});
