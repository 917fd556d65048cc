/**
 * Clients' books read through their practice's single authorisation: who has access, which organisation belongs to which client, and what
 * is read.
 */
import { booksConnections, booksGrants, booksObjects, booksReads, clients, memberships } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { pence } from '@portal/domain/money.ts';
import { describe, expect, it } from 'vitest';
import { jobHandlers } from '../../job-handlers.ts';
import { addClient, addPractice, assignClient } from '../../testing/add-practice.ts';
import { connectGrant, getGrant, listOrganisations } from '../../testing/practice-books-steps.ts';
import { getOutcomeParam, PERIOD_END, RUN, setUpPracticeBooks, VRNS } from '../../testing/practice-books-setup.ts';

const current = setUpPracticeBooks();

describe('one authorisation', () => {
  it('finds each organisation’s client, and reads nothing before a user confirms it', async () => {
    const setup = current();
    const matchedClient = await setup.addClientWithReturn('Harbour Bakery Ltd', VRNS[0]);
    const clientWithReturn = await setup.addClientWithReturn('Quay Joinery Limited');
    await setup.db().update(clients).set({ companyNumber: '09482716' }).where(eq(clients.id, clientWithReturn));
    const twin = await setup.addClientWithReturn('Smith & Sons');
    setup.seed('Trading as something else', VRNS[0] ?? '');
    setup.seed('Quay Joinery', null, { companyNumber: '9482716' });
    setup.seed('Smith and Sons Ltd', VRNS[1] ?? '');
    setup.seed('Stranger plc', VRNS[2] ?? '');
    const organisations = await setup.connect();
    expect(
      organisations.map(({ name, state, candidates }) => [name, state, candidates.map(({ client_id: id, reason }) => [id, reason])]),
    ).toEqual([
      ['Quay Joinery', 'sure', [[clientWithReturn, 'name_and_number']]],
      ['Trading as something else', 'sure', [[matchedClient, 'vat_number']]],
      ['Smith and Sons Ltd', 'review', [[twin, 'name']]],
      ['Stranger plc', 'none', []],
    ]);
    expect(await setup.db().select().from(booksObjects).where(eq(booksObjects.companyId, matchedClient))).toEqual([]);
    expect(await getGrant(setup.practice.admin, setup.practice.companyId, 'xero')).toMatchObject({
      status: 'connected',
      organisations: 4,
      linked: 0,
      unread: 0,
    });
  });

  it('calculates a client’s nine boxes from its books, which follow later changes, and an approval of other figures is void', async () => {
    const setup = current();
    const { clientId, organisationId } = await setup.connectClient();
    expect((await setup.getState(clientId)).body).toMatchObject({
      connection: { program: 'xero', status: 'connected', is_by_practice: true, problem: null, last_read_at: expect.any(String) },
    });
    const figures = await setup.getFigures(clientId);
    expect(figures).toMatchObject({ boxes: { box4_pence: 400_000, box6_pounds: 50_000, direction: 'repayment' }, rows: 2 });
    const key = await setup.getClientReturn(clientId);
    const { body: transactions } = await setup.practice.admin.get('/client/vat-return/transactions', { ...key, box: '4' });
    expect(transactions['transactions']).toMatchObject([{ reference: 'B-1', link: expect.stringContaining('AccountsPayable') }]);
    const statedResponse = await setup.practice.admin.post('/client/vat-return/approved-outside', {
      ...key,
      figures_version: figures['figures_version'],
      reason: 'Approved by phone on Monday',
      confirm: true,
    });
    expect([statedResponse.status, statedResponse.body['code']]).toEqual([200, undefined]);
    const getApproval = async () => (await setup.practice.admin.get('/client/vat-return/approval', key)).body['approval'];
    await setup.practice.admin.post('/client/books/connection/read', { company_id: setup.practice.companyId, client_id: clientId });
    await setup.portal.runJobs();
    expect(await getApproval()).toMatchObject({ state: 'approved', ended_at: null });
    setup.portal.identity.books.xero.putEntry(organisationId, {
      id: '3',
      date: PERIOD_END,
      netPence: pence(100_000),
      vatPence: pence(20_000),
    });
    await setup.practice.admin.post('/client/books/connection/read', { company_id: setup.practice.companyId, client_id: clientId });
    await setup.portal.runJobs();
    expect(await setup.getFigures(clientId)).toMatchObject({ boxes: { box4_pence: 420_000 } });
    expect(await getApproval()).toMatchObject({ state: 'changed' });
  });

  it('links an organisation to one client, and a client to one organisation', async () => {
    const setup = current();
    const { clientId, organisationId } = await setup.connectClient();
    const otherClient = await setup.addClientWithReturn('Another client');
    expect(await setup.link(organisationId, otherClient)).toMatchObject({ status: 409, body: { code: 'books.organisation_linked' } });
    const second = setup.seed('Second organisation', VRNS[1] ?? '');
    await setup.connect();
    expect(await setup.link(second, clientId)).toMatchObject({ status: 409, body: { code: 'books.client_linked' } });
    const ownOrganisations = [organisationId, second].map((organisation_id) => ({
      program: 'xero',
      organisation_id,
      client_id: otherClient,
    }));
    const response = await setup.practice.admin.post('/open-tax/client-books/link', {
      company_id: setup.practice.companyId,
      links: ownOrganisations,
    });
    expect(response).toMatchObject({ status: 400, body: { code: 'input.invalid' } });
    const results = await Promise.all([
      setup.link(second, otherClient),
      setup.link(second, await setup.addClientWithReturn('Third client')),
    ]);
    expect(results.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  });

  it('reads another client’s books only after the first one’s copy is deleted', async () => {
    const setup = current();
    const { clientId, organisationId } = await setup.connectClient();
    const correctClient = await setup.addClientWithReturn('The right client');
    const key = await setup.getClientReturn(clientId);
    await setup.db().update(clients).set({ vrn: null }).where(eq(clients.id, clientId));
    await setup
      .db()
      .update(clients)
      .set({ vrn: VRNS[0] ?? '' })
      .where(eq(clients.id, correctClient));
    const unlinkedResponse = await setup.practice.admin.post('/open-tax/client-books/unlink', {
      company_id: setup.practice.companyId,
      program: 'xero',
      organisation_id: organisationId,
    });
    expect(unlinkedResponse.status).toBe(200);
    // Before any job has run, the client's books are not connected.
    expect((await setup.getState(clientId)).body).toMatchObject({ connection: null });
    await setup.link(organisationId, correctClient);
    await setup.portal.runJobs();
    expect(await setup.db().select().from(booksObjects).where(eq(booksObjects.companyId, clientId))).toEqual([]);
    expect(await setup.getFigures(correctClient)).toMatchObject({ boxes: { box4_pence: 400_000 } });
    // Figures from the other company's books are deleted too.
    expect(await setup.getFigures(clientId, key)).toMatchObject({ boxes: null });
  });
});

describe('permission to connect clients’ books', () => {
  it('belongs to the practice’s admins, and to members with the permission for the clients assigned to them', async () => {
    const setup = current();
    const clientId = await setup.addClientWithReturn('Harbour Bakery Ltd', VRNS[0]);
    const hiddenClient = await setup.addClientWithReturn('Quay Joinery Ltd', VRNS[1]);
    const [ownOrganisationId, otherOrganisationId] = [
      setup.seed('Harbour Bakery', VRNS[0] ?? ''),
      setup.seed('Quay Joinery', VRNS[1] ?? ''),
    ];
    setup.seed('Stranger plc', VRNS[2] ?? '');
    await setup.connect();
    expect((await setup.practice.member.get('/open-tax/client-books', { company_id: setup.practice.companyId })).status).toBe(403);
    const isMember = and(eq(memberships.companyId, setup.practice.companyId), eq(memberships.userId, setup.practice.memberId));
    await setup
      .db()
      .update(memberships)
      .set({ permissions: ['manage_connections'] })
      .where(isMember);
    await assignClient(setup.portal, setup.practice.companyId, clientId, setup.practice.memberId);
    const { organisations, counts } = await listOrganisations(setup.practice.member, setup.practice.companyId);
    expect([organisations.map(({ organisation_id: id }) => id), counts.sure, counts.none]).toEqual([[ownOrganisationId], 1, 0]);
    expect((await setup.link(otherOrganisationId, hiddenClient, { browser: setup.practice.member })).status).toBe(404);
    const offeredResponse = await setup.practice.member.get('/client/books/connection/offered', {
      company_id: setup.practice.companyId,
      client_id: clientId,
    });
    expect(offeredResponse.body['organisations']).toMatchObject([{ organisation_id: ownOrganisationId, is_match: true }]);
    expect(
      (await setup.practice.member.get('/client/books/connection', { company_id: setup.practice.companyId, client_id: hiddenClient }))
        .status,
    ).toBe(404);
    const linkedResponse = await setup.practice.member.post('/client/books/connection/link', {
      company_id: setup.practice.companyId,
      client_id: clientId,
      program: 'xero',
      organisation_id: ownOrganisationId,
    });
    expect(linkedResponse.body).toMatchObject({ connection: { status: 'connected', reading: { objects: 0 } } });
  });

  it('is checked again after the sign-in at the bookkeeping software', async () => {
    const setup = current();
    setup.seed('Harbour Bakery', VRNS[0] ?? '');
    const isMember = and(eq(memberships.companyId, setup.practice.companyId), eq(memberships.userId, setup.practice.memberId));
    await setup
      .db()
      .update(memberships)
      .set({ permissions: ['manage_connections'] })
      .where(isMember);
    const original = globalThis.fetch;
    globalThis.fetch = async (...input) => {
      await setup.db().update(memberships).set({ permissions: [] }).where(isMember);
      return original(...input);
    };
    try {
      expect(getOutcomeParam(await connectGrant(setup.portal, setup.person(setup.practice.cookies.member), 'xero', setup.email))).toBe(
        'books_not_allowed',
      );
    } finally {
      globalThis.fetch = original;
    }
    expect(await setup.db().select().from(booksGrants).where(eq(booksGrants.companyId, setup.practice.companyId))).toEqual([]);
  });

  it('doesn’t extend to another practice: neither its calls nor its tokens reach this one’s clients', async () => {
    const setup = current();
    const { clientId, organisationId } = await setup.connectClient();
    const otherPractice = await addPractice(setup.portal);
    const ownClient = await addClient(setup.portal, otherPractice.companyId, { name: 'Their client' });
    const otherClientLink = { company_id: otherPractice.companyId, client_id: ownClient, program: 'xero', organisation_id: organisationId };
    expect((await otherPractice.admin.post('/client/books/connection/link', otherClientLink)).status).toBe(404);
    expect(
      (await otherPractice.admin.get('/client/books/connection', { company_id: setup.practice.companyId, client_id: clientId })).status,
    ).toBe(404);
    expect(
      (await otherPractice.admin.get('/client/books/connection', { company_id: otherPractice.companyId, client_id: clientId })).status,
    ).toBe(404);
    // A connection of another practice's client that refers to our organisation, so no token is found for it.
    const [row] = await setup.db().select().from(booksConnections).where(eq(booksConnections.companyId, clientId));
    if (!row) throw new Error('no connection');
    await setup
      .db()
      .insert(booksConnections)
      .values({ ...row, companyId: ownClient, practiceId: otherPractice.companyId });
    const [read] = await setup.db().select().from(booksReads).where(eq(booksReads.companyId, clientId));
    if (!read) throw new Error('no read');
    await setup
      .db()
      .insert(booksReads)
      .values({ ...read, companyId: ownClient, practiceId: otherPractice.companyId, status: 'reading', resource: '', page: 1 });
    await jobHandlers(setup.portal.deps)['books.read']({ company_id: otherPractice.companyId, client_id: ownClient }, RUN);
    expect(await setup.db().select().from(booksObjects).where(eq(booksObjects.companyId, ownClient))).toEqual([]);
    const [grant] = await setup.db().select().from(booksGrants).where(eq(booksGrants.companyId, setup.practice.companyId));
    expect(() =>
      setup.portal.deps.tokenCipher.open(grant?.refreshToken ?? '', `books_refresh_token:${otherPractice.companyId}:xero`),
    ).toThrow(/./);
  });
});
