/** Clients' books from one authorisation of their practice: who may, which organisation is whose, what is read, and how it ends. */
import {
  booksConnections,
  booksFiles,
  booksGrants,
  booksObjects,
  booksReads,
  clients,
  memberships,
  practiceOrganisations,
} from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import type { PracticeOrganisation } from '@portal/contract/practice-books.ts';
import { pence } from '@portal/domain/money.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { jobHandlers } from '../../job-handlers.ts';
import { addClient, addPractice, assignClient, type TestPractice } from '../../testing/add-practice.ts';
import { connectBooks, getReturn, seedOrganisation } from '../../testing/books-steps.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { connectGrant, getGrant, listOrganisations } from '../../testing/practice-books-steps.ts';
import { connectedTrader } from '../../testing/test-trader.ts';
import { recordObservation } from '../positions/record-observations.ts';

const RUN = { id: '', attempt: 1, isLastAttempt: false, lostRuns: 0, signal: new AbortController().signal };
const START = '2026-07-01' as PlainDate;
const END = '2026-09-30' as PlainDate;
const VRNS = ['123456782', '987654388', '999999973'];

let portal: TestPortal;
let practice: TestPractice;
let email: string;
let number = 0;

const db = () => portal.deps.database.db;
const person = (cookie: string = practice.cookies.admin) => ({ companyId: practice.companyId, cookie });
const outcomeIn = (location: string) => new URL(location, 'http://localhost').searchParams.get('outcome');
const sweep = async () => {
  await jobHandlers(portal.deps)['books.sweep']({}, RUN);
  await portal.runJobs();
};

beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());
beforeEach(async () => {
  number += 1;
  practice = await addPractice(portal);
  email = `accountant${number}@oakline.example`;
});

/** An organisation at Xero that the accountant may connect, with a refund of £4,000 in the quarter. */
function seed(name: string, vatNumber: string | null, settings: { id?: string; companyNumber?: string; ownerEmail?: string } = {}): string {
  const obligation = { periodStart: START, periodEnd: END };
  return seedOrganisation(portal, 'xero', { vrn: vatNumber ?? '', obligation } as never, {
    id: `${name.toLowerCase().replaceAll(/\W/g, '-')}-${number}`,
    ownerEmail: email,
    name,
    vatNumber,
    ...settings,
  }).organisationId;
}

async function addClientWithReturn(name: string, vrn?: string): Promise<string> {
  const id = await addClient(portal, practice.companyId, { name, ...(vrn === undefined ? {} : { vrn }) });
  const body = [{ periodKey: '26A3', start: START, end: END, due: '2026-11-07', status: 'open', received: null }];
  const observation = { companyId: practice.companyId, clientId: id, source: 'hmrc', takenAt: portal.deps.clock.now() } as const;
  await db().transaction((tx) => recordObservation(tx, { ...observation, kind: 'vat_obligations', body: body as never }));
  return id;
}

async function connect(): Promise<PracticeOrganisation[]> {
  expect(outcomeIn(await connectGrant(portal, person(), 'xero', email))).toBe('books_connected');
  await portal.runJobs();
  return (await listOrganisations(practice.admin, practice.companyId)).organisations;
}

const link = (organisationId: string, clientId: string, browser = practice.admin) =>
  browser.post('/open-tax/client-books/link', {
    company_id: practice.companyId,
    links: [{ program: 'xero', organisation_id: organisationId, client_id: clientId }],
  });

/** One organisation, linked to its client and read. */
async function connectClient(name = `Harbour Bakery ${number} Ltd`): Promise<{ clientId: string; organisationId: string }> {
  const clientId = await addClientWithReturn(name, VRNS[0]);
  const organisationId = seed(name, VRNS[0] ?? '');
  await connect();
  expect((await link(organisationId, clientId)).body).toMatchObject({ linked: 1 });
  await portal.runJobs();
  return { clientId, organisationId };
}

async function getClientReturn(clientId: string, browser = practice.admin) {
  const ids = { company_id: practice.companyId, client_id: clientId };
  const { body } = await browser.get('/client/vat-returns-to-file', ids);
  const [obligation] = body['returns'] as { obligation_id: string }[];
  return { ...ids, obligation_id: obligation?.obligation_id ?? '' };
}

const getFigures = async (clientId: string) => (await practice.admin.get('/client/vat-return', await getClientReturn(clientId))).body;
const getState = async (clientId: string, browser = practice.admin) =>
  browser.get('/client/books/connection', { company_id: practice.companyId, client_id: clientId });

describe('one authorisation', () => {
  it('finds each organisation’s client, and reads nothing before a person confirms it', async () => {
    const sure = await addClientWithReturn('Harbour Bakery Ltd', VRNS[0]);
    const named = await addClientWithReturn('Quay Joinery Limited');
    await db().update(clients).set({ companyNumber: '09482716' }).where(eq(clients.id, named));
    const twin = await addClientWithReturn('Smith & Sons');
    seed('Trading as something else', VRNS[0] ?? '');
    seed('Quay Joinery', null, { companyNumber: '9482716' });
    seed('Smith and Sons Ltd', VRNS[1] ?? '');
    seed('Stranger plc', VRNS[2] ?? '');
    const organisations = await connect();
    expect(
      organisations.map(({ name, state, candidates }) => [name, state, candidates.map(({ client_id: id, reason }) => [id, reason])]),
    ).toEqual([
      ['Quay Joinery', 'sure', [[named, 'name_and_number']]],
      ['Trading as something else', 'sure', [[sure, 'vat_number']]],
      ['Smith and Sons Ltd', 'review', [[twin, 'name']]],
      ['Stranger plc', 'none', []],
    ]);
    expect(await db().select().from(booksObjects).where(eq(booksObjects.companyId, sure))).toEqual([]);
    expect(await getGrant(practice.admin, practice.companyId, 'xero')).toMatchObject({
      status: 'connected',
      organisations: 4,
      linked: 0,
      unread: 0,
    });
  });

  it('gives a client’s nine boxes from its books, which follow what is changed, and an approval of other figures is void', async () => {
    const { clientId, organisationId } = await connectClient();
    expect((await getState(clientId)).body).toMatchObject({
      connection: { program: 'xero', status: 'connected', is_by_practice: true, problem: null, last_read_at: expect.any(String) },
    });
    const figures = await getFigures(clientId);
    expect(figures).toMatchObject({ boxes: { box4_pence: 400_000, box6_pounds: 50_000, direction: 'repayment' }, rows: 2 });
    const key = await getClientReturn(clientId);
    const { body: transactions } = await practice.admin.get('/client/vat-return/transactions', { ...key, box: '4' });
    expect(transactions['transactions']).toMatchObject([{ reference: 'B-1', link: expect.stringContaining('AccountsPayable') }]);
    const stated = await practice.admin.post('/client/vat-return/approved-outside', {
      ...key,
      figures_version: figures['figures_version'],
      reason: 'Approved by phone on Monday',
      confirm: true,
    });
    expect([stated.status, stated.body['code']]).toEqual([200, undefined]);
    const getApproval = async () => (await practice.admin.get('/client/vat-return/approval', key)).body['approval'];
    await practice.admin.post('/client/books/connection/read', { company_id: practice.companyId, client_id: clientId });
    await portal.runJobs();
    expect(await getApproval()).toMatchObject({ state: 'approved', ended_at: null });
    portal.identity.books.xero.putEntry(organisationId, { id: '3', date: END, netPence: pence(100_000), vatPence: pence(20_000) });
    await practice.admin.post('/client/books/connection/read', { company_id: practice.companyId, client_id: clientId });
    await portal.runJobs();
    expect(await getFigures(clientId)).toMatchObject({ boxes: { box4_pence: 420_000 } });
    expect(await getApproval()).toMatchObject({ state: 'changed' });
  });

  it('links an organisation to one client, and a client to one organisation', async () => {
    const { clientId, organisationId } = await connectClient();
    const other = await addClientWithReturn('Another client');
    expect(await link(organisationId, other)).toMatchObject({ status: 409, body: { code: 'books.organisation_linked' } });
    const second = seed('Second organisation', VRNS[1] ?? '');
    await connect();
    expect(await link(second, clientId)).toMatchObject({ status: 409, body: { code: 'books.client_linked' } });
    const both = [organisationId, second].map((organisation_id) => ({ program: 'xero', organisation_id, client_id: other }));
    const answer = await practice.admin.post('/open-tax/client-books/link', { company_id: practice.companyId, links: both });
    expect(answer).toMatchObject({ status: 400, body: { code: 'input.invalid' } });
    const results = await Promise.all([link(second, other), link(second, await addClientWithReturn('Third client'))]);
    expect(results.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  });

  it('reads another client’s books only after the first one’s copy is gone', async () => {
    const { clientId, organisationId } = await connectClient();
    const right = await addClientWithReturn('The right client');
    await db().update(clients).set({ vrn: null }).where(eq(clients.id, clientId));
    await db()
      .update(clients)
      .set({ vrn: VRNS[0] ?? '' })
      .where(eq(clients.id, right));
    const unlinked = await practice.admin.post('/open-tax/client-books/unlink', {
      company_id: practice.companyId,
      program: 'xero',
      organisation_id: organisationId,
    });
    expect(unlinked.status).toBe(200);
    // Before any job has run, nothing of it is connected.
    expect((await getState(clientId)).body).toMatchObject({ connection: null });
    await link(organisationId, right);
    await portal.runJobs();
    expect(await db().select().from(booksObjects).where(eq(booksObjects.companyId, clientId))).toEqual([]);
    expect(await getFigures(right)).toMatchObject({ boxes: { box4_pence: 400_000 } });
    // The figures that were read stay, and say that they follow nothing any more.
    expect((await getFigures(clientId))['checks']).toContainEqual(expect.objectContaining({ code: 'books_behind' }));
  });
});

describe('who may', () => {
  it('is the practice’s admin or a member with the permission, for the clients assigned to them', async () => {
    const clientId = await addClientWithReturn('Harbour Bakery Ltd', VRNS[0]);
    const hidden = await addClientWithReturn('Quay Joinery Ltd', VRNS[1]);
    const [own, other] = [seed('Harbour Bakery', VRNS[0] ?? ''), seed('Quay Joinery', VRNS[1] ?? '')];
    seed('Stranger plc', VRNS[2] ?? '');
    await connect();
    expect((await practice.member.get('/open-tax/client-books', { company_id: practice.companyId })).status).toBe(403);
    const isMember = and(eq(memberships.companyId, practice.companyId), eq(memberships.userId, practice.memberId));
    await db()
      .update(memberships)
      .set({ permissions: ['manage_connections'] })
      .where(isMember);
    await assignClient(portal, practice.companyId, clientId, practice.memberId);
    const { organisations, counts } = await listOrganisations(practice.member, practice.companyId);
    expect([organisations.map(({ organisation_id: id }) => id), counts.sure, counts.none]).toEqual([[own], 1, 0]);
    expect((await link(other, hidden, practice.member)).status).toBe(404);
    const offered = await practice.member.get('/client/books/connection/offered', { company_id: practice.companyId, client_id: clientId });
    expect(offered.body['organisations']).toMatchObject([{ organisation_id: own, is_match: true }]);
    expect((await practice.member.get('/client/books/connection', { company_id: practice.companyId, client_id: hidden })).status).toBe(404);
    const linked = await practice.member.post('/client/books/connection/link', {
      company_id: practice.companyId,
      client_id: clientId,
      program: 'xero',
      organisation_id: own,
    });
    expect(linked.body).toMatchObject({ connection: { status: 'connected', reading: { objects: 0 } } });
  });

  it('isn’t someone whose permission ended while they were at the program', async () => {
    seed('Harbour Bakery', VRNS[0] ?? '');
    const isMember = and(eq(memberships.companyId, practice.companyId), eq(memberships.userId, practice.memberId));
    await db()
      .update(memberships)
      .set({ permissions: ['manage_connections'] })
      .where(isMember);
    const original = globalThis.fetch;
    globalThis.fetch = async (...input) => {
      await db().update(memberships).set({ permissions: [] }).where(isMember);
      return original(...input);
    };
    try {
      expect(outcomeIn(await connectGrant(portal, person(practice.cookies.member), 'xero', email))).toBe('books_not_allowed');
    } finally {
      globalThis.fetch = original;
    }
    expect(await db().select().from(booksGrants).where(eq(booksGrants.companyId, practice.companyId))).toEqual([]);
  });

  it('isn’t another practice: neither its calls nor its tokens reach this one’s clients', async () => {
    const { clientId, organisationId } = await connectClient();
    const stranger = await addPractice(portal);
    const own = await addClient(portal, stranger.companyId, { name: 'Their client' });
    const mine = { company_id: stranger.companyId, client_id: own, program: 'xero', organisation_id: organisationId };
    expect((await stranger.admin.post('/client/books/connection/link', mine)).status).toBe(404);
    expect((await stranger.admin.get('/client/books/connection', { company_id: practice.companyId, client_id: clientId })).status).toBe(
      404,
    );
    expect((await stranger.admin.get('/client/books/connection', { company_id: stranger.companyId, client_id: clientId })).status).toBe(
      404,
    );
    // A connection of their client that points at our organisation: no token is found for it.
    const [row] = await db().select().from(booksConnections).where(eq(booksConnections.companyId, clientId));
    if (!row) throw new Error('no connection');
    await db()
      .insert(booksConnections)
      .values({ ...row, companyId: own, practiceId: stranger.companyId });
    const [read] = await db().select().from(booksReads).where(eq(booksReads.companyId, clientId));
    if (!read) throw new Error('no read');
    await db()
      .insert(booksReads)
      .values({ ...read, companyId: own, practiceId: stranger.companyId, status: 'reading', resource: '', page: 1 });
    await jobHandlers(portal.deps)['books.read']({ company_id: stranger.companyId, client_id: own }, RUN);
    expect(await db().select().from(booksObjects).where(eq(booksObjects.companyId, own))).toEqual([]);
    const [grant] = await db().select().from(booksGrants).where(eq(booksGrants.companyId, practice.companyId));
    expect(() => portal.deps.tokenCipher.open(grant?.refreshToken ?? '', `books_refresh_token:${stranger.companyId}:xero`)).toThrow(/./);
  });
});

describe('ending', () => {
  it('by the program is noticed once, for all clients; connecting again continues', async () => {
    const { clientId } = await connectClient();
    portal.identity.signIn.xero.revokeAccess(email);
    for (const _ of [1, 2]) {
      await practice.admin.post('/client/books/connection/read', { company_id: practice.companyId, client_id: clientId });
      await portal.runJobs();
    }
    expect(await getGrant(practice.admin, practice.companyId, 'xero')).toMatchObject({ status: 'lost' });
    expect((await getState(clientId)).body).toMatchObject({ connection: { status: 'lost' } });
    expect((await getFigures(clientId))['checks']).toContainEqual(expect.objectContaining({ code: 'books_behind' }));
    const mails = portal.mails.filter(
      ({ to, subject }) => to === `${practice.adminId}@oakline.example` && subject.includes('read clients’ books'),
    );
    expect(mails).toHaveLength(1);
    const session = await practice.admin.get('/v2/check-login');
    expect(session.body['grant_notices']).toMatchObject([{ kind: 'practice', service: 'xero', state: 'ended', may_connect: true }]);
    await connect();
    expect((await getState(clientId)).body).toMatchObject({ connection: { status: 'connected' } });
  });

  it('of one organisation in the program is noticed for its client alone', async () => {
    const { clientId, organisationId } = await connectClient();
    const other = await addClientWithReturn('Quay Joinery Ltd', VRNS[1]);
    const second = seed('Quay Joinery', VRNS[1] ?? '');
    await connect();
    await link(second, other);
    await portal.runJobs();
    portal.identity.removeFromXero(organisationId);
    await practice.admin.post('/client/books/connection/read', { company_id: practice.companyId, client_id: clientId });
    await portal.runJobs();
    expect((await getState(clientId)).body).toMatchObject({ connection: { status: 'lost' } });
    expect((await getState(other)).body).toMatchObject({ connection: { status: 'connected' } });
    const { counts } = await listOrganisations(practice.admin, practice.companyId);
    expect(counts).toMatchObject({ gone: 1, linked: 1 });
    expect(portal.mails.filter(({ subject }) => subject.includes(`Harbour Bakery ${number} Ltd: we can’t read the books`))).toHaveLength(1);
    portal.identity.removeFromXero(second);
    await practice.admin.post('/open-tax/client-books/refresh', { company_id: practice.companyId, program: 'xero' });
    await portal.runJobs();
    expect((await getState(other)).body).toMatchObject({ connection: { status: 'lost' } });
    // Without a client it is forgotten; with one, it comes back with its link.
    await connect();
    expect((await listOrganisations(practice.admin, practice.companyId)).counts).toMatchObject({ gone: 0, linked: 2 });
  });

  it('by the practice deletes the copies and the access, and leaves figures; a lost job is made up for', async () => {
    const { clientId, organisationId } = await connectClient();
    const disconnected = await practice.admin.post('/open-tax/client-books/disconnect', {
      company_id: practice.companyId,
      program: 'xero',
    });
    expect(disconnected.status).toBe(200);
    expect((await getState(clientId)).body).toMatchObject({ connection: null });
    await portal.runJobs();
    const isClients = eq(booksObjects.companyId, clientId);
    expect(await db().select().from(booksObjects).where(isClients)).toEqual([]);
    expect(await db().select().from(booksConnections).where(eq(booksConnections.companyId, clientId))).toEqual([]);
    const files = await db().select().from(booksFiles).where(eq(booksFiles.companyId, clientId));
    expect(files).toMatchObject([{ source: 'xero' }]);
    // Linked again, and the job that connects it is lost.
    await connect();
    const isOurs = and(eq(practiceOrganisations.companyId, practice.companyId), eq(practiceOrganisations.organisationId, organisationId));
    await db().update(practiceOrganisations).set({ clientId, linkedBy: practice.adminId, linkedAt: portal.deps.clock.now() }).where(isOurs);
    await sweep();
    expect((await getState(clientId)).body).toMatchObject({ connection: { status: 'connected', problem: null } });
  });

  it('with the client, or with the practice’s account, takes everything along', async () => {
    const { clientId } = await connectClient();
    await db().delete(clients).where(eq(clients.id, clientId));
    const left = await Promise.all(
      [booksConnections, booksReads, booksObjects, booksFiles].map((table) =>
        db().select().from(table).where(eq(table.companyId, clientId)),
      ),
    );
    expect(left).toEqual([[], [], [], []]);
  });
});

it('QuickBooks is connected for one client, and the newest decision about a client’s books wins', async () => {
  const { clientId, organisationId } = await connectClient();
  const company = seedOrganisation(
    portal,
    'quickbooks',
    { vrn: VRNS[0] ?? '', obligation: { periodStart: START, periodEnd: END } } as never,
    {
      refundPounds: 1_000,
    },
  );
  const path = '/client/books/connection/connect';
  const location = await connectGrant(portal, person(), 'quickbooks', company.email, path, { client_id: clientId });
  expect([new URL(location, 'http://localhost').pathname, outcomeIn(location)]).toEqual([
    '/portal/v2/open-tax/client-dashboard',
    'books_connected',
  ]);
  await portal.runJobs();
  await practice.admin.post('/client/books/connection/basis', { company_id: practice.companyId, client_id: clientId, basis: 'accrual' });
  await portal.runJobs();
  expect((await getState(clientId)).body).toMatchObject({ connection: { program: 'quickbooks', is_by_practice: false, problem: null } });
  expect(await getFigures(clientId)).toMatchObject({ boxes: { box4_pence: 100_000 } });
  expect((await listOrganisations(practice.admin, practice.companyId)).counts).toMatchObject({ linked: 0, sure: 1 });
  await link(organisationId, clientId);
  await portal.runJobs();
  expect(await getFigures(clientId)).toMatchObject({ boxes: { box4_pence: 400_000 } });
  const member = { ...person(practice.cookies.member) };
  await assignClient(portal, practice.companyId, clientId, practice.memberId);
  expect(await connectGrant(portal, member, 'quickbooks', company.email, path, { client_id: clientId })).toBe('403');
});

it('a read that ends after the organisation was unlinked stores no figures', async () => {
  const clientId = await addClientWithReturn(`Slow Ltd ${number}`, VRNS[0]);
  const organisationId = seed(`Slow ${number}`, VRNS[0] ?? '');
  await connect();
  const direct = { company_id: practice.companyId, client_id: clientId, program: 'xero', organisation_id: organisationId };
  await practice.admin.post('/client/books/connection/link', direct);
  const { xero } = portal.deps.practiceBooks;
  if (!xero) throw new Error('Xero isn’t set up');
  let maps = 0;
  const mapBooks: typeof xero.mapBooks = async (...input) => {
    maps += 1;
    const isOrganisation = and(
      eq(practiceOrganisations.companyId, practice.companyId),
      eq(practiceOrganisations.organisationId, organisationId),
    );
    // First the settings are looked at, then everything that was copied.
    if (maps === 2) await db().update(practiceOrganisations).set({ clientId: null, linkedBy: null, linkedAt: null }).where(isOrganisation);
    return xero.mapBooks(...input);
  };
  const deps = { ...portal.deps, practiceBooks: { xero: { ...xero, mapBooks } } };
  await jobHandlers(deps)['books.read']({ company_id: practice.companyId, client_id: clientId }, RUN);
  expect(maps).toBe(2);
  expect(await db().select().from(booksFiles).where(eq(booksFiles.companyId, clientId))).toEqual([]);
  await sweep();
  expect(await db().select().from(booksObjects).where(eq(booksObjects.companyId, clientId))).toEqual([]);
});

it('the same organisation, read by its trader and by a practice, is read for each', async () => {
  const trader = await connectedTrader(portal, `both${number}@tess.example`, null, { isVerified: false });
  const setup = seedOrganisation(portal, 'xero', trader, { id: `both-${number}`, ownerEmail: email });
  await connectBooks(portal, trader, 'xero', setup);
  const clientId = await addClientWithReturn('Tess Exports Ltd', trader.vrn);
  await connect();
  await link(setup.organisationId, clientId);
  await portal.runJobs();
  expect(await getReturn(trader)).toMatchObject({ boxes: { box4_pence: 400_000 } });
  expect((await getState(clientId)).body).toMatchObject({ connection: { problem: null, vat_number: trader.vrn } });
});
