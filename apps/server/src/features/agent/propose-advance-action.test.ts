/**
 * Tests the assistant's draft that proposes an early refund: whose rights it uses, that it happens only once, that the feature's own checks
 * apply, and what the card shows if they reject it.
 */
import { randomUUID } from 'node:crypto';
import {
  advanceProposals,
  auditEntries,
  clientPeople,
  clients,
  dueItems,
  filings,
  memberships,
  obligations,
  returnApprovals,
  users,
  type FiledBoxes,
} from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { addDays, plainDate } from '@portal/domain/plain-date.ts';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { addClient, addPractice, assignClient, type TestPractice } from '../../testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { runAgent } from './run-agent.ts';

type Draft = {
  readonly proposal_id: string;
  readonly version: number;
  readonly state: string;
  readonly act: { readonly kind: string; readonly note?: string; readonly obligation_id?: string };
  readonly problem: string | null;
  readonly facts: readonly { readonly label: string; readonly text: string }[];
};

const [PERIOD_START, PERIOD_END] = [plainDate('2026-07-01'), plainDate('2026-09-30')];
const CLIENT_NOTE = 'If it helps, you can have your VAT refund for 1 July to 30 September 2026 sooner. There’s a fee, and it’s up to you.';

let portal: TestPortal;
let practice: TestPractice;
let clientId: string;
let obligationId: string;
let personEmail: string;

const getDb = () => portal.deps.database.db;
const getIds = () => ({ company_id: practice.companyId, client_id: clientId });
const post = (path: string, body: object, browser = practice.admin) =>
  browser.post(`/open-tax/${path}`, { company_id: practice.companyId, ...body });
const run = () => runAgent(portal.deps, practice.companyId, new AbortController().signal);

async function list(column: string, browser = practice.admin): Promise<Draft[]> {
  const query = { company_id: practice.companyId, column, rule_id: 'refund-expected' };
  return (await browser.get('/open-tax/agent-proposals', query)).body['proposals'] as Draft[];
}
async function findDraft(browser = practice.admin): Promise<Draft> {
  const [draft] = await list('drafts', browser);
  if (!draft) throw new Error('no draft');
  return draft;
}
const approve = async ({ proposal_id, version }: Draft, browser = practice.admin) =>
  (await post('agent-proposals/approve', { proposals: [{ proposal_id, version }] }, browser)).body['results'] as object[];
const listProposedRefunds = () => getDb().select().from(advanceProposals).where(eq(advanceProposals.clientId, clientId));

beforeAll(async () => {
  portal = await openTestPortal({ at: '2026-11-10T09:00:00.000Z' });
});
afterAll(() => portal.close());

/**
 * Gives each test a practice whose assistant is on, and the member's client with a filed return whose refund of £4,321 hasn't been paid
 * yet.
 */
beforeEach(async () => {
  practice = await addPractice(portal);
  const vrn = String(Math.floor(1e8 + Math.random() * 9e8));
  clientId = await addClient(portal, practice.companyId, { name: 'Brook Ltd', vrn });
  await assignClient(portal, practice.companyId, clientId, practice.memberId);
  await addReturn();
  await addPerson();
  await post('agent-mode', { mode: 'act_on_safe', drafts_per_day: 100, acts_per_day: 50 });
  await run();
});

async function addReturn(): Promise<void> {
  const now = portal.deps.clock.now();
  obligationId = randomUUID();
  const period = { periodStart: PERIOD_START, periodEnd: PERIOD_END, dueOn: addDays(PERIOD_END, 38) };
  const zeroBoxes = { box1_pence: 0, box2_pence: 0, box3_pence: 0, box6_pounds: 0, box7_pounds: 0, box8_pounds: 0, box9_pounds: 0 };
  const boxes = { ...zeroBoxes, box4_pence: 432_100, box5_pence: 432_100, direction: 'repayment' } as unknown as FiledBoxes;
  await getDb()
    .insert(obligations)
    .values({ companyId: clientId, id: obligationId, periodKey: '26A3', status: 'fulfilled', ...period });
  await getDb().insert(filings).values({
    companyId: clientId,
    id: randomUUID(),
    practiceId: practice.companyId,
    obligationId,
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
  await getDb()
    .insert(returnApprovals)
    .values({
      companyId: practice.companyId,
      id: randomUUID(),
      clientId,
      obligationId,
      ...period,
      boxes,
      digest: 'd',
      state: 'approved',
      requestedBy: practice.adminId,
      requestedAt: now,
      decidedAt: now,
      filedAt: now,
    });
  await getDb()
    .insert(dueItems)
    .values({
      companyId: practice.companyId,
      clientId,
      tax: 'vat',
      key: 'refund 2026-09-30',
      what: 'refund',
      kind: 'refund',
      dueOn: plainDate('2026-12-01'),
      title: 'VAT refund',
      periodStart: PERIOD_START,
      periodEnd: PERIOD_END,
      source: 'hmrc',
      asOf: now,
      amountPence: -432_100 as never,
    });
}

async function addPerson(): Promise<void> {
  const [userId, createdAt] = [randomUUID(), portal.deps.clock.now()];
  personEmail = `${userId}@brook.example`;
  await getDb().insert(users).values({ id: userId, email: personEmail, fullName: 'Carl Brook', createdAt });
  await getDb().insert(clientPeople).values({ companyId: practice.companyId, clientId, userId, joinedAt: createdAt });
}

it('waits for a user with the permission, and is then carried out once, in their name, with the text that they read', async () => {
  await run();
  const draft = await findDraft(practice.member);
  expect(draft.act).toEqual({ kind: 'propose_advance', obligation_id: obligationId, note: CLIENT_NOTE });
  expect(draft.facts).toContainEqual(expect.objectContaining({ label: 'Would be sent to', text: 'Carl Brook' }));
  // Never done automatically, even if the assistant may perform safe actions. The card names the missing permission.
  expect(await listProposedRefunds()).toEqual([]);
  expect(draft.problem).toContain('Propose early refunds');
  expect(await approve(draft, practice.member)).toMatchObject([{ outcome: 'failed', message: draft.problem }]);
  await getDb()
    .update(memberships)
    .set({ permissions: ['propose_advances'] })
    .where(eq(memberships.userId, practice.memberId));
  expect(await findDraft(practice.member)).toMatchObject({ problem: null });

  const approvals = await Promise.all([approve(draft, practice.member), approve(draft)]);
  expect(approvals.flat().map((result) => (result as { outcome: string }).outcome)).toContain('done');
  await post('agent-proposals/approve', { proposals: [{ proposal_id: draft.proposal_id, version: draft.version }] });
  const createdProposals = await listProposedRefunds();
  expect(createdProposals).toMatchObject([{ id: draft.proposal_id, obligationId, refundPence: 432_100, note: CLIENT_NOTE }]);
  await portal.runJobs();
  expect(portal.sentEmails.filter(({ to, text }) => to === personEmail && text.includes(CLIENT_NOTE))).toHaveLength(1);
  const entries = await getDb()
    .select({ action: auditEntries.action, actor: auditEntries.actor })
    .from(auditEntries)
    .where(and(eq(auditEntries.companyId, practice.companyId), eq(auditEntries.subject, draft.proposal_id)));
  const by = createdProposals[0]?.proposedBy;
  expect(entries).toEqual(expect.arrayContaining(['advance_proposal.proposed', 'agent.approved'].map((action) => ({ action, actor: by }))));
  await run();
  expect(await list('drafts')).toEqual([]);
  expect(await list('done')).toMatchObject([{ state: 'done', can_revert: false, problem: null }]);
});

it('happens once if the process ends between the proposal and its record, even if it was withdrawn in between', async () => {
  const draft = await findDraft();
  await approve(draft);
  await practice.admin.post('/client/advance-proposal/withdraw', {
    ...getIds(),
    obligation_id: obligationId,
    proposal_id: draft.proposal_id,
  });
  const expiredAt = new Date(Date.parse(portal.deps.wallClock.now()) - 120_000).toISOString();
  await getDb().execute(`update agent_proposals set state = 'acting', acting_at = '${expiredAt}' where id = '${draft.proposal_id}'`);
  expect(await approve(draft)).toMatchObject([{ outcome: 'done' }]);
  expect(await listProposedRefunds()).toMatchObject([{ id: draft.proposal_id, endedAs: 'withdrawn' }]);
});

it('says why the checks reject it and what to do, and stays a draft', async () => {
  await getDb().delete(clientPeople).where(eq(clientPeople.clientId, clientId));
  await getDb().update(clients).set({ updatedAt: portal.deps.clock.now() }).where(eq(clients.id, clientId));
  await run();
  const onlyDraft = await findDraft();
  expect(onlyDraft.problem).toContain('Invite someone');
  expect(await approve(onlyDraft)).toMatchObject([{ outcome: 'failed', message: onlyDraft.problem }]);
  expect(await listProposedRefunds()).toEqual([]);
  await addPerson();
  await getDb().update(clients).set({ vrn: null }).where(eq(clients.id, clientId));
  expect((await findDraft()).problem).toBe('Add the client’s VAT number first.');
});

it('is withdrawn when a colleague has proposed it, and isn’t made again', async () => {
  const draft = await findDraft();
  const createResponse = await practice.admin.post('/client/advance-proposal/propose', {
    ...getIds(),
    obligation_id: obligationId,
    note: '',
  });
  expect(await approve(draft)).toMatchObject([{ outcome: 'withdrawn' }]);
  const { proposal_id: id } = createResponse.body['proposal'] as { proposal_id: string };
  await practice.admin.post('/client/advance-proposal/withdraw', { ...getIds(), obligation_id: obligationId, proposal_id: id });
  await run();
  expect(await list('drafts')).toEqual([]);
});

it('can be proposed by a person or a tool, for a return of this client only, and shows the limit of two in 30 days', async () => {
  const buildProposalRow = (obligation: string) => ({
    proposal_id: randomUUID(),
    client_id: clientId,
    title: 'They need cash',
    act: { kind: 'propose_advance', obligation_id: obligation, note: '' },
  });
  expect(await post('agent-proposals', buildProposalRow(randomUUID()))).toMatchObject({ status: 400 });
  for (let times = 0; times < 2; times += 1) {
    const { body } = await practice.admin.post('/client/advance-proposal/propose', { ...getIds(), obligation_id: obligationId, note: '' });
    const { proposal_id: id } = body['proposal'] as { proposal_id: string };
    await practice.admin.post('/client/advance-proposal/withdraw', { ...getIds(), obligation_id: obligationId, proposal_id: id });
  }
  const expectedProposal = buildProposalRow(obligationId);
  expect((await post('agent-proposals', expectedProposal)).status).toBe(200);
  const query = { company_id: practice.companyId, column: 'drafts', rule_id: 'by-request' };
  const [draft] = (await practice.admin.get('/open-tax/agent-proposals', query)).body['proposals'] as Draft[];
  expect(draft?.problem).toContain('twice in the last 30 days. You can propose it again from 10 December 2026');
  // An edit can change the note, not the return.
  const otherReturn = { ...expectedProposal.act, obligation_id: randomUUID() };
  const editedResponse = await post('agent-proposals/edit', {
    proposal_id: expectedProposal.proposal_id,
    version: draft?.version,
    act: otherReturn,
  });
  expect(editedResponse.status).toBe(400);
});
