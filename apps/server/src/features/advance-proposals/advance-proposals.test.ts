/** Tests that a practice can propose an early refund and the client's company gets it, and what the practice can and can't see or do. */
import { randomUUID } from 'node:crypto';
import {
  advanceProposals,
  advances,
  auditEntries,
  clientPeople,
  clients,
  companies,
  filings,
  memberships,
  obligations,
  staffNotifications,
  users,
  type FiledBoxes,
} from '@portal/db/schema/schema.ts';
import { and, eq, sql } from '@portal/db/sql.ts';
import { addMilliseconds, createClock } from '@portal/domain/clock.ts';
import { parsePlainDate, plainDate } from '@portal/domain/plain-date.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startSession } from '../../http/session.ts';
import { addClient, addPractice, assignClient, type TestPractice } from '../../testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { unzip } from '../../testing/unzip.ts';
import { acceptAdvance, confirmCollection, createTraderWithFiledReturn, findAdvance, waitForState } from '../../testing/take-advance.ts';
import { createBrowser, type ApiResponse, type Browser, type Trader } from '../../testing/test-trader.ts';
import { notifyOfProposals, selectReachedProposals } from './notify-of-proposals.ts';
import { getProposal, listOwnProposals } from './proposal-queries.ts';

type JsonBody = Record<string, unknown>;

const DAY_MS = 86_400_000;

let portal: TestPortal;
let practice: TestPractice;
let trader: Trader;
let clientId: string;
let obligationId: string;
let carl: Browser;
let carlId: string;

const getDb = () => portal.deps.database.db;
const getIds = () => ({ company_id: practice.companyId, client_id: clientId });
const getKey = () => ({ ...getIds(), obligation_id: obligationId });

beforeAll(async () => {
  portal = await openTestPortal();
  practice = await addPractice(portal);
  // HMRC has the return, and the trader's company has an offer for its refund.
  trader = await createTraderWithFiledReturn(portal, 'owner@client.example', 4_321);
});
afterAll(() => portal.close());

/**
 * Gives each test a client for whom the practice has filed a return with a refund of £4,321, and a user of the client who doesn't own a
 * company yet.
 */
beforeEach(async () => {
  await getDb().update(clients).set({ vrn: null }).where(eq(clients.companyId, practice.companyId));
  clientId = await addClient(portal, practice.companyId, { vrn: trader.vrn });
  obligationId = await addFiledReturn(432_100, 'repayment');
  [carlId, carl] = await addPerson('Carl Client');
});

async function addFiledReturn(box5: number, direction: FiledBoxes['direction'], periodKey = 'A001'): Promise<string> {
  const id = randomUUID();
  const now = portal.deps.clock.now();
  const { periodStart, periodEnd } = trader.obligation;
  const start = periodKey === 'A001' ? periodStart : plainDate('2020-01-01');
  await getDb().insert(obligations).values({
    companyId: clientId,
    id,
    periodKey,
    periodStart: start,
    periodEnd,
    dueOn: periodEnd,
    status: 'fulfilled',
  });
  const zero = { box1_pence: 0, box2_pence: 0, box3_pence: 0, box6_pounds: 0, box7_pounds: 0, box8_pounds: 0, box9_pounds: 0 };
  const boxes = { ...zero, box4_pence: box5, box5_pence: box5, direction } as unknown as FiledBoxes;
  await getDb().insert(filings).values({
    companyId: clientId,
    id: randomUUID(),
    practiceId: practice.companyId,
    obligationId: id,
    state: 'accepted',
    boxes,
    figuresVersion: 'filed',
    fileId: randomUUID(),
    declaration: 'Declared',
    filedBy: practice.adminId,
    fraudHeaders: {},
    receiptSource: 'answer',
    instanceId: 'test',
    callDeadlineAt: now,
    sentAt: now,
    settledAt: now,
  });
  return id;
}

async function addPerson(fullName: string): Promise<[string, Browser]> {
  const [userId, createdAt] = [randomUUID(), portal.deps.clock.now()];
  await getDb()
    .insert(users)
    .values({ id: userId, email: `${userId}@client.example`, fullName, createdAt });
  await join(userId);
  const session = await startSession(getDb(), portal.deps.wallClock, { userId, signInMethod: 'link', ip: '', userAgent: '' });
  return [userId, createBrowser(portal, `portal_session=${session}`)];
}

const join = (userId: string) =>
  getDb().insert(clientPeople).values({ companyId: practice.companyId, clientId, userId, joinedAt: portal.deps.clock.now() });

/** Adds another company with the client's VAT number, which isn't connected to HMRC yet. */
async function addCompany(): Promise<string> {
  const id = randomUUID();
  const company = { id, kind: 'trader', name: 'Carl’s Own Ltd', vrn: trader.vrn, createdAt: portal.deps.clock.now() } as const;
  await getDb().insert(companies).values(company);
  return id;
}

/** Gives the user a role in the company on InstantVAT. */
const addOwnMembership = (
  userId: string,
  role: 'trader_owner' | 'trader_viewer' | 'trader_bookkeeper' = 'trader_owner',
  companyId = trader.companyId,
) => getDb().insert(memberships).values({ companyId, userId, role, createdAt: portal.deps.clock.now() });

const propose = (note = '', browser = practice.admin) => browser.post('/client/advance-proposal/propose', { ...getKey(), note });
const get = async (browser = practice.admin): Promise<JsonBody> => (await browser.get('/client/advance-proposal', getKey())).body;
const readStage = async () => ((await get())['proposal'] as JsonBody | null)?.['stage'];
const getProposalId = async (): Promise<string> => String(((await get())['proposal'] as JsonBody)['proposal_id']);

async function answerProposal(action: string, input: JsonBody = {}, browser = carl): Promise<ApiResponse> {
  return browser.post(`/client/portal/advance-proposal/${action}`, { company_id: clientId, proposal_id: await getProposalId(), ...input });
}

const readOwnProposals = async (browser = carl) =>
  (await browser.get('/client/portal/advance-proposals', { company_id: clientId })).body['proposals'] as JsonBody[];

const withdraw = async () => practice.admin.post('/client/advance-proposal/withdraw', { ...getKey(), proposal_id: await getProposalId() });

describe('a proposal', () => {
  it('reaches the client’s users once, by email and in the portal, and shows whether it was seen', async () => {
    expect(await propose('You asked about cash for the van.')).toMatchObject({
      status: 200,
      body: { refund_pence: 432_100, problem: null, proposal: { stage: 'proposed', proposed_by: 'practice_admin', figures: null } },
    });
    await portal.runJobs();
    const emails = portal.sentEmails.filter(({ to }) => to === `${carlId}@client.example`);
    expect(emails.map(({ subject }) => subject)).toEqual([expect.stringContaining('you could have your VAT refund early')]);
    expect(emails[0]?.text).toContain('You asked about cash for the van.');
    expect(await readOwnProposals()).toMatchObject([
      { stage: 'proposed', refund_pence: 432_100, is_seen: false, trader: null, company: { vrn: trader.vrn } },
    ]);
    await answerProposal('seen');
    await answerProposal('seen');
    expect(await readStage()).toBe('seen');
    const { body } = await practice.admin.get('/client/timeline', getIds());
    const titles = (body['entries'] as JsonBody[]).map(({ title }) => title);
    expect(titles.filter((title) => title === 'Client viewed the proposed early refund')).toHaveLength(1);
    expect(titles).toContain('Early refund proposed');
  });

  it('is made once, even if two colleagues propose at the same moment, and can be made again after its withdrawal', async () => {
    const responses = await Promise.all([propose(), propose()]);
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(await propose()).toMatchObject({ status: 409, body: { code: 'advance_proposal.open' } });
    const first = await getProposalId();
    expect((await withdraw()).body).toMatchObject({ proposal: { stage: 'withdrawn' } });
    expect(await readOwnProposals()).toEqual([]);
    const lateResponse = await carl.post('/client/portal/advance-proposal/start', {
      company_id: clientId,
      proposal_id: first,
      share_figures: true,
    });
    expect(lateResponse).toMatchObject({ status: 409, body: { code: 'advance_proposal.not_open' } });
    expect((await propose()).status).toBe(200);
    expect(await getProposalId()).not.toBe(first);
    // Every user of the client gets an email for each proposal, so a third one has to wait.
    await withdraw();
    expect(await propose()).toMatchObject({ status: 409, body: { code: 'advance_proposal.too_often' } });
  });

  it('is rejected with the reason', async () => {
    const expectRefusal = async (code: string, text: string) => {
      const { status, body } = await propose();
      expect([status, body['code'], body['message']]).toEqual([409, code, expect.stringContaining(text)]);
      expect((await getDb().select().from(advanceProposals).where(eq(advanceProposals.clientId, clientId))).length).toBe(0);
    };
    const filedObligationId = obligationId;
    obligationId = await addFiledReturn(400_000, 'payment', 'A002');
    await expectRefusal('advance_proposal.no_refund', 'isn’t a repayment');
    obligationId = filedObligationId;
    await getDb().update(filings).set({ state: 'refused' }).where(eq(filings.obligationId, filedObligationId));
    await expectRefusal('advance_proposal.not_approved', 'approved');
    await getDb().update(filings).set({ state: 'accepted' }).where(eq(filings.obligationId, filedObligationId));
    await getDb().update(clients).set({ kind: 'sole_trader' }).where(eq(clients.id, clientId));
    await expectRefusal('advance_proposal.not_eligible', 'limited companies and LLPs');
    const registrationDate = parsePlainDate(portal.deps.clock.today()) ?? null;
    await getDb().update(clients).set({ kind: 'llp', vatRegisteredOn: registrationDate }).where(eq(clients.id, clientId));
    await expectRefusal('advance_proposal.not_eligible', 'registered for 90 days');
    await getDb().update(clients).set({ vatRegisteredOn: null, vrn: null }).where(eq(clients.id, clientId));
    await expectRefusal('advance_proposal.not_eligible', 'VAT number');
    await getDb().update(clients).set({ vrn: trader.vrn }).where(eq(clients.id, clientId));
    await getDb().delete(clientPeople).where(eq(clientPeople.clientId, clientId));
    await expectRefusal('advance_proposal.no_people', 'Invite someone');
  });

  it('needs the permission, and belongs to the client’s practice', async () => {
    const isMember = and(eq(memberships.companyId, practice.companyId), eq(memberships.userId, practice.memberId));
    await getDb()
      .update(memberships)
      .set({ permissions: ['propose_advances'] })
      .where(isMember);
    expect((await propose('', practice.member)).status).toBe(404);
    await getDb().update(memberships).set({ permissions: [] }).where(isMember);
    await assignClient(portal, practice.companyId, clientId, practice.memberId);
    expect(await propose('', practice.member)).toMatchObject({ status: 403, body: { code: 'team.permission_missing' } });
    expect(await get(practice.member)).toMatchObject({ may_propose: false });
    await getDb()
      .update(memberships)
      .set({ permissions: ['propose_advances'] })
      .where(isMember);
    expect((await propose('', practice.member)).status).toBe(200);
    await getDb().update(memberships).set({ permissions: [] }).where(isMember);
    const otherPractice = await addPractice(portal);
    expect((await otherPractice.admin.get('/client/advance-proposal', getKey())).status).toBe(404);
    expect((await otherPractice.admin.get('/client/advance-proposal', { ...getKey(), company_id: otherPractice.companyId })).status).toBe(
      404,
    );
    const foreignClient = await addClient(portal, practice.companyId);
    await getDb()
      .insert(clientPeople)
      .values({ companyId: practice.companyId, clientId: foreignClient, userId: carlId, joinedAt: portal.deps.clock.now() });
    expect((await answerProposal('decline', { company_id: foreignClient })).status).toBe(404);
    const foreignInput = { ...getKey(), client_id: foreignClient, proposal_id: await getProposalId() };
    expect((await practice.admin.post('/client/advance-proposal/withdraw', foreignInput)).status).toBe(404);
  });

  it('expires after 30 days, and can then be made again', async () => {
    await propose();
    const laterDeps = { ...portal.deps, clock: createClock(() => Date.parse(addMilliseconds(portal.deps.clock.now(), 31 * 86_400_000))) };
    const tenant = { kind: 'client', practiceId: practice.companyId, clientId } as const;
    const foundProposal = await getProposal(laterDeps, tenant, { userId: practice.adminId, role: 'practice_admin' } as never, obligationId);
    expect(foundProposal.proposal?.stage).toBe('expired');
  });
});

describe('the client’s response', () => {
  it('can be a refusal with a reason, after which the practice is notified and can’t propose it again', async () => {
    await propose();
    expect((await answerProposal('decline', { reason: 'We don’t need it.' })).status).toBe(200);
    expect(await get()).toMatchObject({ proposal: { stage: 'declined', ended_reason: 'We don’t need it.' } });
    expect(await propose()).toMatchObject({ status: 409, body: { code: 'advance_proposal.declined' } });
    const storedNotifications = await getDb().select().from(staffNotifications).where(eq(staffNotifications.clientId, clientId));
    expect(storedNotifications.map(({ userId, kind }) => [userId, kind])).toEqual([[practice.adminId, 'advance_proposal']]);
    expect(await answerProposal('start', { share_figures: true })).toMatchObject({
      status: 409,
      body: { code: 'advance_proposal.not_open' },
    });
  });

  it('leads to a company that the user adds, and never shows or uses another owner’s company', async () => {
    await propose();
    const { status, body } = await answerProposal('start', { share_figures: false });
    expect([status, body['proposals']]).toEqual([200, [expect.objectContaining({ stage: 'started', is_starter: true, trader: null })]]);
    // The advance with the same VAT number belongs to a company that this user doesn't own.
    expect(await readStage()).toBe('started');
    expect((await carl.get('/instant-vat/advance', { company_id: trader.companyId })).status).toBe(404);
    const companyId = await addCompany();
    await addOwnMembership(carlId, 'trader_owner', companyId);
    expect(await readOwnProposals()).toMatchObject([{ trader: { company_id: companyId, name: 'Carl’s Own Ltd', has_offer: false } }]);
  });

  it('isn’t available to a colleague of the practice, nor to someone with another role in the company', async () => {
    await propose();
    await join(practice.adminId);
    expect(await answerProposal('start', { share_figures: true }, practice.admin)).toMatchObject({
      status: 403,
      body: { code: 'advance_proposal.works_for_practice' },
    });
    await addOwnMembership(carlId, 'trader_bookkeeper');
    expect(await answerProposal('start', { share_figures: true })).toMatchObject({
      status: 403,
      body: { code: 'advance_proposal.not_owner' },
    });
    expect(await readStage()).toBe('proposed');
    await getDb().delete(memberships).where(eq(memberships.userId, carlId));
  });

  it('belongs to the user who started it, and only their company counts', async () => {
    await propose();
    await answerProposal('start', { share_figures: true });
    const [, dora] = await addPerson('Dora Director');
    // Carl has no company yet, so Dora can take over, and Carl's consent no longer applies.
    expect(await answerProposal('share-figures', { share: true }, dora)).toMatchObject({
      status: 403,
      body: { code: 'advance_proposal.not_starter' },
    });
    expect((await answerProposal('start', { share_figures: false }, dora)).body).toMatchObject({
      proposals: [{ is_starter: true, shares_figures: false }],
    });
    const companyId = await addCompany();
    await addOwnMembership(carlId, 'trader_owner', companyId);
    expect(await readOwnProposals()).toMatchObject([{ started_by: 'Dora Director', is_starter: false, trader: null }]);
    expect((await answerProposal('start', { share_figures: false })).status).toBe(200);
    expect(await answerProposal('start', { share_figures: false }, dora)).toMatchObject({
      status: 409,
      body: { code: 'advance_proposal.started_by_other', message: expect.stringContaining('Carl Client') },
    });
    await getDb().delete(memberships).where(eq(memberships.userId, carlId));
  });
});

describe('what the practice sees of the client’s advance', () => {
  /** Returns everything that the practice can read as a single text. */
  async function readAll(): Promise<string> {
    await notifyOfProposals(portal.deps);
    await portal.runJobs();
    const { admin, companyId, cookies } = practice;
    const downloadResponse = await portal.app.inject({
      url: '/portal/v2/data/practice',
      query: { company_id: companyId },
      headers: { cookie: cookies.admin },
    });
    const responses = [
      await get(),
      (await admin.get('/client/timeline', getIds())).body,
      (await admin.get('/open-tax/notifications', { company_id: companyId })).body,
      await getDb().select().from(staffNotifications).where(eq(staffNotifications.companyId, companyId)),
      await getDb().select().from(auditEntries).where(eq(auditEntries.companyId, companyId)),
      portal.sentEmails.filter(({ to }) => to.endsWith('@oakline.example')),
      [...unzip(downloadResponse.rawPayload).values()],
    ];
    return JSON.stringify(responses);
  }
  // As whole words: the digits also occur inside random identifiers and the audit trail's hashes.
  const NET_PATTERN = /(?<!\w)(4,?277\.79|427779)(?![\w-])/;
  const FEE_PATTERN = /(?<!\w)(43\.21|4321)(?![\w-])/;
  const listNotified = async () =>
    (await getDb().select().from(staffNotifications).where(eq(staffNotifications.clientId, clientId))).map(({ key }) => key.split(' ')[1]);

  const listReachedProposals = async () =>
    (await getDb().execute(selectReachedProposals(addMilliseconds(portal.deps.clock.now(), -DAY_MS)))).rows;

  /** Checks that the card and its amounts disappear 30 days after settlement, because the client can no longer clear the checkbox. */
  async function expectNoDashboard(): Promise<void> {
    await answerProposal('share-figures', { share: true });
    const tenant = { kind: 'client', practiceId: practice.companyId, clientId } as const;
    const readAfter = async (days: number) => {
      const laterDeps = { ...portal.deps, clock: createClock(() => Date.parse(addMilliseconds(portal.deps.clock.now(), days * DAY_MS))) };
      const { proposals, earlier } = await listOwnProposals(laterDeps, tenant, { userId: carlId } as never);
      const { proposal } = await getProposal(
        laterDeps,
        tenant,
        { userId: practice.adminId, role: 'practice_admin' } as never,
        obligationId,
      );
      return { shown: proposals.length, earlier: earlier.map((item) => item.stage), hasFigures: proposal?.figures !== null };
    };
    expect(await readAfter(30)).toEqual({ shown: 1, earlier: [], hasFigures: true });
    expect(await readAfter(31)).toEqual({ shown: 0, earlier: ['settled'], hasFigures: false });
  }

  it('is looked up by an index, and only for proposals whose stage can still change', async () => {
    await propose();
    await answerProposal('start', { share_figures: false });
    const plan = await getDb().transaction(async (tx) => {
      await tx.execute(sql`set local enable_seqscan = off`);
      const { rows } = await tx.execute(sql`explain ${selectReachedProposals(portal.deps.clock.now())}`);
      return rows.map((row) => Object.values(row).join(' ')).join('\n');
    });
    expect(plan).toContain('advance_proposals_followed');
    // The view is queried for each of these proposals, not computed for every proposal ever started.
    expect(plan).toMatch(/Nested Loop/);
    expect(plan).not.toMatch(/Seq Scan on advance_proposals/);
  });

  it('follows it to the end, with amounts only while its owner shares them', async () => {
    const [owner] = await getDb().select().from(memberships).where(eq(memberships.companyId, trader.companyId));
    await getDb().delete(clientPeople).where(eq(clientPeople.clientId, clientId));
    await join(owner?.userId ?? '');
    carl = trader.browser;
    await propose();
    await answerProposal('seen');
    // The offer exists, but the client hasn't agreed to show its progress to the practice.
    expect(await readStage()).toBe('seen');
    await answerProposal('start', { share_figures: false });
    expect(await readOwnProposals()).toMatchObject([
      { trader: { company_id: trader.companyId, obligation_id: trader.obligation.id, has_offer: true } },
    ]);
    expect(await readStage()).toBe('started');
    await acceptAdvance(portal, trader);
    expect(await get()).toMatchObject({ proposal: { stage: 'accepted', accepted_at: expect.any(String), figures: null } });
    for (const refusedResponse of [await withdraw(), await answerProposal('decline')]) expect(refusedResponse.status).toBe(409);
    // None of the practice's roles gives access to the company itself.
    for (const path of ['/instant-vat/advance', '/instant-vat/dashboard'])
      expect((await practice.admin.get(path, { company_id: trader.companyId })).status).toBe(404);
    const hiddenTexts = await readAll();
    expect(hiddenTexts).not.toMatch(NET_PATTERN);
    expect(hiddenTexts).not.toMatch(FEE_PATTERN);

    expect((await answerProposal('share-figures', { share: true })).body).toMatchObject({ proposals: [{ shares_figures: true }] });
    const { net_pence: net, fee_pence: fee } = await findAdvance(trader);
    expect([net, fee]).toEqual([427_779, 4_321]);
    expect(await get()).toMatchObject({ proposal: { figures: { net_pence: net, fee_pence: fee } } });
    await answerProposal('share-figures', { share: false });
    expect(await get()).toMatchObject({ proposal: { figures: null } });

    await confirmCollection(portal, trader);
    await waitForState(trader, 'awaiting_hmrc');
    expect(await readStage()).toBe('paid');
    expect(await readAll()).not.toMatch(NET_PATTERN);
    await notifyOfProposals(portal.deps);
    expect(new Set(await listNotified())).toEqual(new Set(['accepted', 'paid']));
    expect(await listNotified()).toHaveLength(2);

    // The practice sees no further progress once the client's VAT number or the company's owner changes, or access ends. Stages it was
    // already notified of remain: a refund that was sold can't be proposed again.
    await getDb().update(clients).set({ vrn: '123456782' }).where(eq(clients.id, clientId));
    expect(await readStage()).toBe('paid');
    expect((await withdraw()).status).toBe(409);
    await getDb().update(clients).set({ vrn: trader.vrn }).where(eq(clients.id, clientId));
    const isOwner = eq(memberships.userId, owner?.userId ?? '');
    await getDb().update(memberships).set({ role: 'trader_viewer' }).where(isOwner);
    expect(await readStage()).toBe('paid');
    await getDb().update(memberships).set({ role: 'trader_owner' }).where(isOwner);
    const setState = (state: string) =>
      getDb().update(advances).set({ state, repaidAt: portal.deps.clock.now() }).where(eq(advances.companyId, trader.companyId));
    // Collection and write-off aren't new stages, however often the sweep runs.
    for (const state of ['shortfall', 'collecting', 'written_off']) {
      await setState(state);
      expect([state, await listReachedProposals()]).toEqual([state, []]);
    }
    await setState('settled');
    expect(await readStage()).toBe('settled');
    expect(await listReachedProposals()).toHaveLength(1);
    await notifyOfProposals(portal.deps);
    expect(await listReachedProposals()).toEqual([]);
    await expectNoDashboard();
    await getDb().delete(clientPeople).where(eq(clientPeople.clientId, clientId));
    expect(await readStage()).toBe('settled');
  });
});
