/** Tests how clients' connections end, and what replaces them. */
import { booksConnections, booksFiles, booksObjects, booksReads, clients, practiceOrganisations } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import { describe, expect, it } from 'vitest';
import { jobHandlers } from '../../job-handlers.ts';
import { assignClient } from '../../testing/add-practice.ts';
import { connectBooks, getReturn, seedOrganisation } from '../../testing/books-steps.ts';
import { connectGrant, getGrant, listOrganisations } from '../../testing/practice-books-steps.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { JobPayloads } from '../../jobs/job-kinds.ts';
import { disconnectGrant } from './disconnect-grant.ts';
import { endAccess } from './end-access.ts';
import { getOutcomeParam, PERIOD_END, PERIOD_START, RUN, setUpPracticeBooks, VRNS } from '../../testing/practice-books-setup.ts';
import { createConnectedTrader } from '../../testing/test-trader.ts';

const current = setUpPracticeBooks();

describe('the end of access', () => {
  it('by the software is noticed once, for all clients; reconnecting resumes', async () => {
    const setup = current();
    const { clientId } = await setup.connectClient();
    setup.portal.identity.signIn.xero.revokeAccess(setup.email);
    for (const _ of [1, 2]) {
      await setup.practice.admin.post('/client/books/connection/read', { company_id: setup.practice.companyId, client_id: clientId });
      await setup.portal.runJobs();
    }
    expect(await getGrant(setup.practice.admin, setup.practice.companyId, 'xero')).toMatchObject({ status: 'lost' });
    expect((await setup.getState(clientId)).body).toMatchObject({ connection: { status: 'lost' } });
    expect((await setup.getFigures(clientId))['checks']).toContainEqual(expect.objectContaining({ code: 'books_behind' }));
    const emails = setup.portal.sentEmails.filter(
      ({ to, subject }) => to === `${setup.practice.adminId}@oakline.example` && subject.includes('read clients’ books'),
    );
    expect(emails).toHaveLength(1);
    const sessionResponse = await setup.practice.admin.get('/v2/check-login');
    expect(sessionResponse.body['grant_notices']).toMatchObject([{ kind: 'practice', service: 'xero', state: 'ended', may_connect: true }]);
    await setup.connect();
    expect((await setup.getState(clientId)).body).toMatchObject({ connection: { status: 'connected' } });
  });

  it('to one organisation in the software is noticed for its client only', async () => {
    const setup = current();
    const { clientId, organisationId } = await setup.connectClient();
    const otherClient = await setup.addClientWithReturn('Quay Joinery Ltd', VRNS[1]);
    const second = setup.seed('Quay Joinery', VRNS[1] ?? '');
    await setup.connect();
    await setup.link(second, otherClient);
    await setup.portal.runJobs();
    setup.portal.identity.removeFromXero(organisationId);
    await setup.practice.admin.post('/client/books/connection/read', { company_id: setup.practice.companyId, client_id: clientId });
    await setup.portal.runJobs();
    expect((await setup.getState(clientId)).body).toMatchObject({ connection: { status: 'lost' } });
    expect((await setup.getState(otherClient)).body).toMatchObject({ connection: { status: 'connected' } });
    const { counts } = await listOrganisations(setup.practice.admin, setup.practice.companyId);
    expect(counts).toMatchObject({ gone: 1, linked: 1 });
    expect(
      setup.portal.sentEmails.filter(({ subject }) => subject.includes(`Harbour Bakery ${setup.number} Ltd: we can’t read the books`)),
    ).toHaveLength(1);
    setup.portal.identity.removeFromXero(second);
    await setup.practice.admin.post('/open-tax/client-books/refresh', { company_id: setup.practice.companyId, program: 'xero' });
    await setup.portal.runJobs();
    expect((await setup.getState(otherClient)).body).toMatchObject({ connection: { status: 'lost' } });
    // Without a client, the organisation would have been deleted. As it has one, it is covered again and keeps its link.
    await setup.connect();
    expect((await listOrganisations(setup.practice.admin, setup.practice.companyId)).counts).toMatchObject({ gone: 0, linked: 2 });
  });

  it('deletes or keeps the figures as the user decided, whatever is connected when the job runs', async () => {
    const setup = current();
    const unlinked = await setup.connectClient();
    await setup.unlink(unlinked.organisationId);
    await disconnect();
    await setup.portal.runJobs();
    expect(await setup.getFigures(unlinked.clientId)).toMatchObject({ boxes: null });
    await setup.connect();
    await setup.link(unlinked.organisationId, unlinked.clientId);
    await setup.portal.runJobs();
    await disconnect();
    // Reconnected before the disconnection's job has run.
    await setup.connect();
    expect(await setup.getFigures(unlinked.clientId)).toMatchObject({ boxes: { box4_pence: 400_000 } });

    function disconnect() {
      return setup.practice.admin.post('/open-tax/client-books/disconnect', { company_id: setup.practice.companyId, program: 'xero' });
    }
  });

  it('to many organisations sends each user one notification, without former clients, once two lists lack them', async () => {
    const setup = current();
    const { companyId } = setup.practice;
    const names = ['Amber', 'Birch', 'Cedar'].map((name) => `${name} ${setup.number} Ltd`);
    const ids = await Promise.all(names.map((name) => setup.addClientWithReturn(name)));
    const organisationIds = names.map((name) => setup.seed(name, null));
    await setup.connect();
    for (const [index, id] of ids.entries()) await setup.link(organisationIds[index] ?? '', id);
    await setup.portal.runJobs();
    await setup
      .db()
      .update(clients)
      .set({ status: 'closed' })
      .where(eq(clients.id, ids[2] ?? ''));
    const { deps } = setup.portal;
    const { xero } = deps.practiceBooks;
    if (!xero) throw new Error('Xero isn’t set up');
    const list = (lists: readonly string[][]) => {
      let calls = 0;
      const listOrganisations: typeof xero.listOrganisations = async () => {
        calls += 1;
        return (lists[calls - 1] ?? []).map((id) => ({ id, name: id, connectionId: undefined }));
      };
      const changedDeps = { ...deps, practiceBooks: { xero: { ...xero, listOrganisations } } };
      return jobHandlers(changedDeps)['books.organisations']({ company_id: companyId, provider: 'xero' }, RUN);
    };
    const [first = '', ...otherOrganisationIds] = organisationIds;
    // The pages shifted while the list was being read.
    await list([[first], otherOrganisationIds]);
    expect((await listOrganisations(setup.practice.admin, companyId)).counts).toMatchObject({ gone: 0, linked: 3 });
    await list([[], []]);
    expect((await listOrganisations(setup.practice.admin, companyId)).counts).toMatchObject({ gone: 3, linked: 0 });
    await setup.portal.runJobs();
    const emails = setup.portal.sentEmails.filter(({ text }) => text.includes(names[0] ?? ''));
    expect(emails.map(({ subject }) => subject)).toEqual([expect.stringContaining('books of 2 clients in Xero')]);
    expect(emails[0]?.text).toContain(names[1]);
    expect(emails[0]?.text).not.toContain(names[2]);
  });

  it('at Xero continues when one call fails, and that one is tried again with the newest tokens', async () => {
    const setup = current();
    const { companyId, adminId } = setup.practice;
    setup.seed('Harbour Bakery', VRNS[0] ?? '');
    setup.seed('Quay Joinery', VRNS[1] ?? '');
    await setup.connect();
    const { xero } = setup.portal.deps.practiceBooks;
    if (!xero?.disconnect) throw new Error('Xero isn’t set up');
    const { disconnect } = xero;
    const endedConnectionIds: (string | undefined)[] = [];
    let failures = 1;
    const jobs: JobPayloads['books.end_access'][] = [];
    const deps: AppDeps = {
      ...setup.portal.deps,
      enqueue: async (_db, kind, payload) => {
        if (kind === 'books.end_access') jobs.push(payload as (typeof jobs)[number]);
      },
      practiceBooks: {
        xero: {
          ...xero,
          disconnect: async (access) => {
            failures -= 1;
            if (failures === 0) throw new ProviderError('unavailable', { provider: 'xero', operation: 'xero.disconnect', status: 503 });
            await disconnect(access);
            endedConnectionIds.push(access.connectionId);
          },
        },
      },
    };
    await disconnectGrant(deps, { companyId, provider: 'xero', userId: adminId, ip: '192.0.2.1' });
    for (const count of [1, 2]) {
      const [job] = jobs.splice(0);
      if (!job) throw new Error('no job');
      await endAccess(deps, job, RUN);
      expect(endedConnectionIds).toHaveLength(count);
    }
    expect(new Set(endedConnectionIds).size).toBe(2);
    expect(jobs).toEqual([]);
  });

  it('by the practice deletes the copies and the access, and keeps the figures; a lost job is replaced', async () => {
    const setup = current();
    const { clientId, organisationId } = await setup.connectClient();
    const disconnectedResponse = await setup.practice.admin.post('/open-tax/client-books/disconnect', {
      company_id: setup.practice.companyId,
      program: 'xero',
    });
    expect(disconnectedResponse.status).toBe(200);
    expect((await setup.getState(clientId)).body).toMatchObject({ connection: null });
    await setup.portal.runJobs();
    const isClients = eq(booksObjects.companyId, clientId);
    expect(await setup.db().select().from(booksObjects).where(isClients)).toEqual([]);
    expect(await setup.db().select().from(booksConnections).where(eq(booksConnections.companyId, clientId))).toEqual([]);
    const files = await setup.db().select().from(booksFiles).where(eq(booksFiles.companyId, clientId));
    expect(files).toMatchObject([{ source: 'xero' }]);
    // The organisation is linked again, but the job that connects it is lost.
    await setup.connect();
    const isOurs = and(
      eq(practiceOrganisations.companyId, setup.practice.companyId),
      eq(practiceOrganisations.organisationId, organisationId),
    );
    await setup
      .db()
      .update(practiceOrganisations)
      .set({ clientId, linkedBy: setup.practice.adminId, linkedAt: setup.portal.deps.clock.now() })
      .where(isOurs);
    await setup.sweep();
    expect((await setup.getState(clientId)).body).toMatchObject({ connection: { status: 'connected', problem: null } });
  });

  it('with the client, or with the practice’s account, deletes everything', async () => {
    const setup = current();
    const { clientId } = await setup.connectClient();
    await setup.db().delete(clients).where(eq(clients.id, clientId));
    const remainingRows = await Promise.all(
      [booksConnections, booksReads, booksObjects, booksFiles].map((table) =>
        setup.db().select().from(table).where(eq(table.companyId, clientId)),
      ),
    );
    expect(remainingRows).toEqual([[], [], [], []]);
  });
});

it('QuickBooks is connected for one client, and the newest decision about a client’s books wins', async () => {
  const setup = current();
  const { clientId, organisationId } = await setup.connectClient();
  const company = seedOrganisation(
    setup.portal,
    'quickbooks',
    { vrn: VRNS[0] ?? '', obligation: { periodStart: PERIOD_START, periodEnd: PERIOD_END } } as never,
    {
      refundPounds: 1_000,
    },
  );
  const path = '/client/books/connection/connect';
  const location = await connectGrant(setup.portal, setup.person(), 'quickbooks', company.email, path, { client_id: clientId });
  expect([new URL(location, 'http://localhost').pathname, getOutcomeParam(location)]).toEqual([
    '/portal/v2/open-tax/client-dashboard',
    'books_connected',
  ]);
  await setup.portal.runJobs();
  await setup.practice.admin.post('/client/books/connection/basis', {
    company_id: setup.practice.companyId,
    client_id: clientId,
    basis: 'accrual',
  });
  await setup.portal.runJobs();
  expect((await setup.getState(clientId)).body).toMatchObject({
    connection: { program: 'quickbooks', is_by_practice: false, problem: null },
  });
  expect(await setup.getFigures(clientId)).toMatchObject({ boxes: { box4_pence: 100_000 } });
  expect((await listOrganisations(setup.practice.admin, setup.practice.companyId)).counts).toMatchObject({ linked: 0, review: 1 });
  expect(await setup.link(organisationId, clientId, { replace: true })).toMatchObject({ status: 200 });
  await setup.portal.runJobs();
  expect(await setup.getFigures(clientId)).toMatchObject({ boxes: { box4_pence: 400_000 } });
  const member = { ...setup.person(setup.practice.cookies.member) };
  await assignClient(setup.portal, setup.practice.companyId, clientId, setup.practice.memberId);
  expect(await connectGrant(setup.portal, member, 'quickbooks', company.email, path, { client_id: clientId })).toBe('403');
});

it('a read that ends after the organisation was unlinked stores no figures', async () => {
  const setup = current();
  const clientId = await setup.addClientWithReturn(`Slow Ltd ${setup.number}`, VRNS[0]);
  const organisationId = setup.seed(`Slow ${setup.number}`, VRNS[0] ?? '');
  await setup.connect();
  const direct = { company_id: setup.practice.companyId, client_id: clientId, program: 'xero', organisation_id: organisationId };
  await setup.practice.admin.post('/client/books/connection/link', direct);
  const { xero } = setup.portal.deps.practiceBooks;
  if (!xero) throw new Error('Xero isn’t set up');
  let maps = 0;
  const mapBooks: typeof xero.mapBooks = async (...input) => {
    maps += 1;
    const isOrganisation = and(
      eq(practiceOrganisations.companyId, setup.practice.companyId),
      eq(practiceOrganisations.organisationId, organisationId),
    );
    // The first mapping checks the settings; the second maps everything that was copied.
    if (maps === 2)
      await setup.db().update(practiceOrganisations).set({ clientId: null, linkedBy: null, linkedAt: null }).where(isOrganisation);
    return xero.mapBooks(...input);
  };
  const deps = { ...setup.portal.deps, practiceBooks: { xero: { ...xero, mapBooks } } };
  await jobHandlers(deps)['books.read']({ company_id: setup.practice.companyId, client_id: clientId }, RUN);
  expect(maps).toBe(2);
  expect(await setup.db().select().from(booksFiles).where(eq(booksFiles.companyId, clientId))).toEqual([]);
  await setup.sweep();
  expect(await setup.db().select().from(booksObjects).where(eq(booksObjects.companyId, clientId))).toEqual([]);
});

it('the same organisation, read by its trader and by a practice, is read for each', async () => {
  const setup = current();
  const trader = await createConnectedTrader(setup.portal, `both${setup.number}@tess.example`, null, { isVerified: false });
  const seededOrganisation = seedOrganisation(setup.portal, 'xero', trader, { id: `both-${setup.number}`, ownerEmail: setup.email });
  await connectBooks(setup.portal, trader, 'xero', seededOrganisation);
  const clientId = await setup.addClientWithReturn('Tess Exports Ltd', trader.vrn);
  await setup.connect();
  await setup.link(seededOrganisation.organisationId, clientId);
  await setup.portal.runJobs();
  expect(await getReturn(trader)).toMatchObject({ boxes: { box4_pence: 400_000 } });
  expect((await setup.getState(clientId)).body).toMatchObject({ connection: { problem: null, vat_number: trader.vrn } });
});
