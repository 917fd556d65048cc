/** Tests a client's VAT return from books to HMRC's receipt: who may do each step, what is frozen, and what is submitted only once. */
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { isUniqueViolation } from '@portal/db/sql-errors.ts';
import {
  agentProposals,
  agentSettings,
  booksFiles,
  booksRows,
  clientPeople,
  clients,
  filings,
  memberships,
  obligations,
  periodFigures,
  returnApprovals,
  users,
} from '@portal/db/schema/schema.ts';
import { addMilliseconds, createClock } from '@portal/domain/clock.ts';
import { DECLARATIONS } from '@portal/domain/vat-returns/declarations.ts';
import { and, eq, sql } from '@portal/db/sql.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startSession } from '../../http/session.ts';
import { assignClient } from '../../testing/add-practice.ts';
import { createOaklinePractice, getAgentTokens, type OaklinePractice } from '../../testing/oakline-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { type Browser, createBrowser } from '../../testing/test-trader.ts';
import { runAgent } from '../agent/run-agent.ts';
import { lockLiveApproval } from '../return-approvals/find-approval.ts';
import { recordFiledApproval } from '../return-approvals/record-filed-approval.ts';
import { remindApprovals } from '../return-approvals/remind-approvals.ts';
import type { FilingRow } from '../vat-returns/get-return.ts';
import { saveFilingOutcome } from '../vat-returns/save-filing-outcome.ts';
import { lockTaxpayer } from '../vat-returns/taxpayer.ts';
import { computeNewFigures } from '../vat-returns/period-figures.ts';
import { rebuildPositions } from '../positions/rebuild-position.ts';
import { recordObservation } from '../../testing/record-observation.ts';

type JsonBody = Record<string, unknown>;
type Obligation = { obligation_id: string; period_start: string; period_end: string; state: string };

const TIME_TO_REACH_A_LOCK_MS = 500;

let portal: TestPortal;
let practice: OaklinePractice;
let queue: OaklinePractice['list'];
let accessToken: string;
let client: OaklinePractice['list'][number];
let obligation: Obligation;
let carl: Browser;
let email: string;

const getDb = () => portal.deps.database.db;
const getIds = () => ({ company_id: practice.companyId, client_id: client.id });
const getKey = () => ({ ...getIds(), obligation_id: obligation.obligation_id });

beforeAll(async () => {
  portal = await openTestPortal();
  practice = await createOaklinePractice(portal, {
    clients: 130,
    isIncluded: ({ taxes, situation }) => taxes.includes('vat') && ['due_soon', 'overdue_return', 'overdue_payment'].includes(situation),
  });
  queue = practice.list;
  accessToken = (await getAgentTokens(portal)).accessToken;
});
afterAll(() => portal.close());

/** Each test has its own client whose period has ended and isn't filed. */
beforeEach(async () => {
  portal.faults.clear();
  obligation = await openNextClient();
  [email, carl] = await addPerson();
});

/** Makes one HMRC call instead of a refresh's six, because the tests have to wait for its rate limit. */
async function openNextClient(): Promise<Obligation> {
  for (const next of queue) {
    queue = queue.slice(1);
    const vrn = next.client.vat?.vrn ?? '';
    const openObligations = await portal.deps.hmrc.listObligations({ accessToken, fraudHeaders: {} }, vrn, { status: 'open' });
    if (!openObligations.some(({ end }) => end < portal.deps.clock.today())) continue;
    client = next;
    const observation = { companyId: practice.companyId, clientId: next.id, source: 'hmrc', takenAt: portal.deps.clock.now() } as const;
    await getDb().transaction(async (tx) => {
      await recordObservation(tx, { ...observation, kind: 'vat_obligations', body: openObligations });
      const [today, now] = [portal.deps.clock.today(), portal.deps.clock.now()];
      await rebuildPositions(tx, { companyId: practice.companyId, tax: 'vat', clientIds: [next.id], today, now, cause: 'data' });
    });
    const { body } = await practice.admin.get('/client/vat-returns-to-file', getIds());
    const foundReturn = (body['returns'] as Obligation[]).find(({ state }) => state === 'no_books');
    if (foundReturn) return foundReturn;
  }
  throw new Error('the portfolio has too few clients with a return to file');
}

async function addPerson(): Promise<[string, Browser]> {
  const [userId, createdAt] = [randomUUID(), portal.deps.clock.now()];
  const address = `${userId}@client.example`;
  await getDb().insert(users).values({ id: userId, email: address, fullName: 'Carl Client', createdAt });
  await getDb().insert(clientPeople).values({ companyId: practice.companyId, clientId: client.id, userId, joinedAt: createdAt });
  const session = await startSession(getDb(), portal.deps.wallClock, { userId, signInMethod: 'link', ip: '', userAgent: '' });
  return [address, createBrowser(portal, `portal_session=${session}`)];
}

const uploadBooks = (refundPounds: number, browser = practice.admin) =>
  browser.upload(
    '/client/vat-books/file',
    { ...getIds(), file_name: 'books.csv' },
    [
      'date,kind,reference,counterparty,description,net,vat,treatment',
      `${obligation.period_start},sale,INV-1,Oslo AS,Lamps,50000.00,0.00,zero`,
      `${obligation.period_end},purchase,B-1,Glass Ltd,Shades,${refundPounds * 5}.00,${refundPounds}.00,standard`,
    ].join('\n'),
  );

const getReturn = async (): Promise<JsonBody> => (await practice.admin.get('/client/vat-return', getKey())).body;
const getApproval = async (): Promise<JsonBody> => (await practice.admin.get('/client/vat-return/approval', getKey())).body;

async function send(text = ''): Promise<string> {
  const { figures_version: version } = await getReturn();
  const { status, body } = await practice.admin.post('/client/vat-return/send-for-approval', {
    ...getKey(),
    figures_version: version,
    text,
  });
  expect([status, body['code']]).toEqual([200, undefined]);
  return String((body['approval'] as JsonBody)['approval_id']);
}

async function approve(approvalId: string) {
  const ownKey = { company_id: client.id, approval_id: approvalId };
  const { body } = await carl.get('/client/portal/vat-return', ownKey);
  return carl.post('/client/portal/vat-return/approve', { ...ownKey, digest: body['digest'], confirm: true });
}

async function file(browser = practice.admin, idempotencyKey: string = randomUUID()) {
  const { figures_version: version } = await getReturn();
  const input = { ...getKey(), figures_version: version ?? 'seen before', declaration_accepted: true };
  return browser.post('/client/vat-return/file', input, { 'idempotency-key': idempotencyKey });
}

/** Returns the database's own message, which Drizzle's error wraps. */
const findRefusal = async (work: PromiseLike<unknown>): Promise<string> => {
  try {
    await work;
    return 'not refused';
  } catch (error) {
    return String(error instanceof Error ? (error.cause ?? error) : error);
  }
};

const countAtHmrc = () => portal.hmrc.listReturns(client.client.vat?.vrn ?? '').reduce((sum, { timesAccepted }) => sum + timesAccepted, 0);

describe('preparing a client’s return', () => {
  it('calculates the boxes from the client’s file by the trader’s rules, and traces them to its rows', async () => {
    expect(await uploadBooks(4_000)).toMatchObject({ status: 201, body: { file: { rows: 2 }, pending: null } });
    expect(await getReturn()).toMatchObject({
      obligation: { state: 'ready' },
      boxes: { box4_pence: 400_000, box5_pence: 400_000, box6_pounds: 50_000, direction: 'repayment' },
      declaration: DECLARATIONS.agent,
    });
    const { body } = await practice.admin.get('/client/vat-return/transactions', { ...getKey(), box: '4' });
    expect(body).toMatchObject({ rows: 1, transactions: [{ line: 3, reference: 'B-1', amount_pence: 400_000 }] });
    const adjustment = { adjustment_id: randomUUID(), box: '1', amount_pence: 12_000, reason: 'Fuel scale charge of the quarter' };
    const adjustedResponse = await practice.admin.post('/client/vat-return/adjust', { ...getKey(), ...adjustment });
    expect(adjustedResponse.body).toMatchObject({ boxes: { box1_pence: 12_000, box5_pence: 388_000 } });
  });

  it('belongs to this client: not to another one, another practice or a colleague to whom it isn’t assigned', async () => {
    await uploadBooks(1_000);
    const otherClient = practice.list.find(({ id }) => id !== client.id);
    const foreignKey = { ...getKey(), client_id: otherClient?.id ?? '' };
    expect((await practice.admin.get('/client/vat-return', foreignKey)).status).toBe(404);
    expect((await practice.member.get('/client/vat-return', getKey())).status).toBe(404);
    expect((await uploadBooks(2_000, practice.member)).status).toBe(404);
    await assignClient(portal, practice.companyId, client.id, practice.memberId);
    expect((await practice.member.get('/client/vat-return', getKey())).status).toBe(200);
    expect((await carl.get('/client/vat-return', getKey())).status).toBe(404);
  });

  it('is deleted with the client', async () => {
    await uploadBooks(1_000);
    await getDb().delete(clients).where(eq(clients.id, client.id));
    const remainingRows = [
      await getDb().select().from(booksRows).where(eq(booksRows.companyId, client.id)),
      await getDb().select().from(obligations).where(eq(obligations.companyId, client.id)),
    ];
    expect(remainingRows).toEqual([[], []]);
  });
});

describe('approval', () => {
  it('shows the client’s user the figures, freezes what is approved and notifies the colleague', async () => {
    await uploadBooks(4_000);
    const approvalId = await send('Box 4 has the new van.');
    await portal.runJobs();
    const request = portal.sentEmails.findLast(({ to }) => to === email);
    expect(request?.subject).toContain('please check your VAT return');
    expect(request?.text).toContain('£4,000.00');
    expect(request?.text).toContain(`approval_id=${approvalId}`);
    const ownKey = { company_id: client.id, approval_id: approvalId };
    const shownResponse = await carl.get('/client/portal/vat-return', ownKey);
    expect(shownResponse.body).toMatchObject({
      state: 'sent',
      boxes: { box5_pence: 400_000 },
      reason: 'Box 4 has the new van.',
      receipt: null,
    });
    // Only the figures that were shown can be approved.
    expect(await carl.post('/client/portal/vat-return/approve', { ...ownKey, digest: 'other', confirm: true })).toMatchObject({
      status: 409,
    });
    expect(await approve(approvalId)).toMatchObject({ status: 200, body: { state: 'approved' } });
    expect((await practice.admin.get('/client/vat-returns-to-file', getIds())).body['returns']).toContainEqual(
      expect.objectContaining({ obligation_id: obligation.obligation_id, state: 'ready', approval: 'approved' }),
    );
    const [row] = await getDb().select().from(returnApprovals).where(eq(returnApprovals.id, approvalId));
    expect(row).toMatchObject({ state: 'approved', digest: shownResponse.body['digest'], decidedIp: expect.stringMatching(/\d/) });
    const forge = getDb().update(returnApprovals).set({ digest: 'forged' }).where(eq(returnApprovals.id, approvalId));
    await expect(findRefusal(forge)).resolves.toContain('return_approvals: UPDATE refused');
    await portal.runJobs();
    expect(portal.sentEmails.at(-1)?.subject).toContain('approved the VAT return');
  });

  it('is void once the figures change, and holds if a new file has the same figures', async () => {
    await uploadBooks(4_000);
    await approve(await send());
    await uploadBooks(4_000);
    expect(await getApproval()).toMatchObject({ approval: { state: 'approved', ended_at: null } });
    await uploadBooks(5_000);
    expect(await getApproval()).toMatchObject({ approval: { state: 'changed', ended_at: expect.any(String) } });
    expect(await file()).toMatchObject({ status: 409, body: { code: 'return.not_approved' } });
    expect(countAtHmrc()).toBe(0);
    const { body } = await practice.admin.get('/open-tax/vat-returns', { company_id: practice.companyId, stage: 'to_prepare' });
    expect(body['returns']).toContainEqual(expect.objectContaining({ client_id: client.id, has_changed: true }));
  });

  it('marks the rows of an uploaded file that differ from those approved, by their reference', async () => {
    await uploadBooks(4_000);
    await approve(await send());
    await uploadBooks(5_000);
    expect((await getReturn())['changes']).toMatchObject({ since: 'approval', documents: 1 });
    const { body } = await practice.admin.get('/client/vat-return/transactions', { ...getKey(), box: '4', show: 'changed' });
    expect(body['transactions']).toMatchObject([
      { reference: 'B-1', amount_pence: 500_000, change: 'changed', other_amount_pence: 400_000 },
    ]);
  });

  it('can be preceded by a question and its answer', async () => {
    await uploadBooks(4_000);
    const approvalId = await send();
    const question = { company_id: client.id, approval_id: approvalId, message_id: randomUUID(), text: 'Is the van in box 4?' };
    for (const _ of [1, 2]) expect((await carl.post('/client/portal/vat-return/ask', question)).body).toMatchObject({ state: 'queried' });
    const replyInput = { ...getKey(), message_id: randomUUID(), text: 'Yes, its VAT is.' };
    const { body } = await practice.admin.post('/client/vat-return/answer', replyInput);
    expect(body['messages']).toMatchObject([
      { from_client: true, text: 'Is the van in box 4?' },
      { from_client: false, author: 'practice_admin' },
    ]);
    expect(await approve(approvalId)).toMatchObject({ status: 200, body: { state: 'approved' } });
  });

  it('is requested once more after three days, and only once', async () => {
    await uploadBooks(4_000);
    await send();
    await portal.runJobs();
    const laterDeps = { ...portal.deps, clock: createClock(() => Date.parse(addMilliseconds(portal.deps.clock.now(), 4 * 86_400_000))) };
    await remindApprovals(laterDeps);
    await remindApprovals(laterDeps);
    await portal.runJobs();
    expect(portal.sentEmails.filter(({ to, subject }) => to === email && subject.startsWith('Reminder'))).toHaveLength(1);
  });

  it('is chased by a draft from the practice’s assistant, which a change withdraws', async () => {
    await uploadBooks(4_000);
    await getDb().update(clients).set({ email }).where(eq(clients.id, client.id));
    const approvalId = await send();
    const { companyId } = practice;
    const settings = { companyId, mode: 'suggest', draftsPerDay: 500, actsPerDay: 0 } as const;
    await getDb().insert(agentSettings).values(settings).onConflictDoNothing();
    const laterDeps = { ...portal.deps, clock: createClock(() => Date.parse(addMilliseconds(portal.deps.clock.now(), 6 * 86_400_000))) };
    const find = async (ruleId: string) => {
      await runAgent(laterDeps, companyId, new AbortController().signal);
      const isThisProposal = and(eq(agentProposals.clientId, client.id), eq(agentProposals.ruleId, ruleId));
      return getDb()
        .select({ state: agentProposals.state, subject: agentProposals.subject, act: agentProposals.act })
        .from(agentProposals)
        .where(isThisProposal);
    };
    const [unansweredApproval] = await find('approval-unanswered');
    expect(unansweredApproval).toMatchObject({ state: 'open', subject: approvalId, act: { kind: 'message' } });
    const page = `${portal.deps.site.publicUrl}/v2/open-tax/clients-portal/vat-return?company_id=${client.id}&approval_id=${approvalId}`;
    expect(unansweredApproval?.act.kind === 'message' && unansweredApproval.act.body).toContain(page);
    expect((await approve(approvalId)).status).toBe(200);
    expect(await find('approval-unanswered')).toMatchObject([{ state: 'withdrawn' }]);
    expect(countAtHmrc()).toBe(0);
  });

  it('can be requested by every colleague who can see the client, but with a message only by those who may message clients', async () => {
    await uploadBooks(4_000);
    await assignClient(portal, practice.companyId, client.id, practice.memberId);
    const { figures_version: version } = await getReturn();
    const sendAs = (text: string) =>
      practice.member.post('/client/vat-return/send-for-approval', { ...getKey(), figures_version: version, text });
    const refusedResponse = {
      status: 403,
      body: { code: 'team.permission_missing', message: { text: expect.stringContaining('Message clients') } },
    };
    expect(await sendAs('Please check box 4')).toMatchObject(refusedResponse);
    expect(await getApproval()).toMatchObject({ approval: null });
    expect(await sendAs(' ')).toMatchObject({ status: 200, body: { approval: { state: 'sent', reason: '' }, may: { message: false } } });
    const permitMember = (permissions: 'message_clients'[]) =>
      getDb().update(memberships).set({ permissions }).where(eq(memberships.userId, practice.memberId));
    await permitMember(['message_clients']);
    expect(await sendAs('Please check box 4')).toMatchObject({ status: 200, body: { approval: { reason: 'Please check box 4' } } });
    await permitMember([]);
    // An approval request needs a client user to send it to, and can be opened only by its own client.
    const approvalId = await send();
    const queuedClient = queue[0] ?? client;
    await getDb()
      .insert(clientPeople)
      .values({ companyId: practice.companyId, clientId: queuedClient.id, userId: practice.memberId, joinedAt: portal.deps.clock.now() });
    const foreignApproval = { company_id: queuedClient.id, approval_id: approvalId };
    expect((await practice.member.get('/client/portal/vat-return', foreignApproval)).status).toBe(404);
    await getDb().delete(clientPeople).where(eq(clientPeople.clientId, client.id));
    const unaskedResponse = await practice.admin.post('/client/vat-return/send-for-approval', { ...getKey(), figures_version: version });
    expect(unaskedResponse).toMatchObject({ status: 409, body: { code: 'approval.no_people' } });
  });
});

describe('filing for a client', () => {
  it('sends approved figures once with the agent’s authorisation, and gives everyone the receipt', async () => {
    await uploadBooks(4_000);
    const approvalId = await send();
    expect(await file()).toMatchObject({ status: 409, body: { code: 'return.not_approved' } });
    await approve(approvalId);
    const responses = await Promise.all([file(practice.admin, 'one-key-for-both'), file(practice.admin, 'one-key-for-both'), file()]);
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 409]);
    expect(countAtHmrc()).toBe(1);
    expect(await getReturn()).toMatchObject({ receipt: { source: 'answer', declaration: DECLARATIONS.agent } });
    const [filing] = await getDb().select().from(filings).where(eq(filings.companyId, client.id));
    expect(filing).toMatchObject({ practiceId: practice.companyId, approvalId, state: 'accepted' });
    expect(filing?.fraudHeaders['Gov-Client-User-IDs']).toContain(practice.adminId);
    await portal.runJobs();
    expect(portal.sentEmails.findLast(({ to }) => to === email)?.subject).toContain('VAT return filed');
    const ownResponse = await carl.get('/client/portal/vat-return', { company_id: client.id, approval_id: approvalId });
    expect(ownResponse.body).toMatchObject({
      filed_at: expect.any(String),
      receipt: { form_bundle_number: expect.stringMatching(/^\d{12}$/) },
    });
    const { body } = await practice.admin.get('/client/timeline', getIds());
    expect((body['entries'] as JsonBody[]).map(({ title }) => title)).toEqual(
      expect.arrayContaining(['VAT return filed: HMRC accepted it', 'VAT return approved', 'Books uploaded']),
    );
    const stagedResponse = await practice.admin.get('/open-tax/vat-returns', { company_id: practice.companyId, stage: 'filed' });
    expect(stagedResponse.body['returns']).toContainEqual(expect.objectContaining({ client_id: client.id, stage: 'filed' }));
  });

  it('finds the return at HMRC after a lost response, and never sends it again', async () => {
    await uploadBooks(4_000);
    await approve(await send());
    portal.faults.set({ operation: 'hmrc.submit_return', kind: 'timeout_after_work', times: 1 });
    expect((await file()).body).toMatchObject({ obligation: { state: 'outcome_unknown' } });
    expect((await file()).body).toMatchObject({ obligation: { state: 'outcome_unknown' } });
    const resolvedResponse = await practice.admin.post('/client/vat-return/resolve', getKey());
    expect(resolvedResponse.body).toMatchObject({ receipt: { source: 'read_back' } });
    expect(countAtHmrc()).toBe(1);
    expect(await getApproval()).toMatchObject({ approval: { state: 'approved' } });
  });

  it('stores HMRC’s acceptance and rejects a second attempt made at the same moment, without a deadlock', async () => {
    await uploadBooks(4_000);
    await approve(await send());
    portal.faults.set({ operation: 'hmrc.submit_return', kind: 'timeout_after_work', times: 1 });
    await file();
    const [filing] = await getDb().select().from(filings).where(eq(filings.companyId, client.id));
    if (!filing) throw new Error('there is no filing');
    const lockTaken = Promise.withResolvers<void>();
    const acceptance = { state: 'accepted', receipt: { body: {}, headers: {} }, receiptSource: 'answer' } as const;
    const [stored, insertResult] = await Promise.allSettled([
      lockTaken.promise.then(() => saveFilingOutcome(portal.deps, filing, acceptance)),
      getDb().transaction(async (tx) => {
        await lockTaxpayer(tx, filing);
        await lockLiveApproval(tx, { practiceId: practice.companyId, clientId: client.id, obligationId: filing.obligationId });
        lockTaken.resolve();
        await setTimeout(TIME_TO_REACH_A_LOCK_MS);
        await tx.insert(filings).values({ ...filing, id: randomUUID(), state: 'sending' });
      }),
    ]);
    expect(stored).toMatchObject({ status: 'fulfilled' });
    expect(insertResult.status === 'rejected' && isUniqueViolation(insertResult.reason, 'filings_one_live')).toBe(true);
    expect(await getReturn()).toMatchObject({ receipt: { source: 'answer' } });
  });

  it('is for members with the permission; only an admin may record an approval given elsewhere, with a reason', async () => {
    await uploadBooks(4_000);
    await assignClient(portal, practice.companyId, client.id, practice.memberId);
    const { figures_version: version } = await getReturn();
    const statement = { ...getKey(), figures_version: version, reason: 'Ann Client by phone at 10:15 today', confirm: true };
    expect((await practice.member.post('/client/vat-return/approved-outside', statement)).status).toBe(404);
    const shortResponse = await practice.admin.post('/client/vat-return/approved-outside', { ...statement, reason: 'phone' });
    expect(shortResponse.status).toBe(400);
    const statedResponse = await practice.admin.post('/client/vat-return/approved-outside', statement);
    expect(statedResponse.body).toMatchObject({ approval: { is_outside: true, state: 'approved', decided_by: 'practice_admin' } });
    expect(await file(practice.member)).toMatchObject({ status: 403, body: { code: 'team.permission_missing' } });
    await getDb()
      .update(memberships)
      .set({ permissions: ['file_returns'] })
      .where(eq(memberships.userId, practice.memberId));
    expect((await file(practice.member)).status).toBe(200);
    expect(countAtHmrc()).toBe(1);
    await getDb().update(memberships).set({ permissions: [] }).where(eq(memberships.userId, practice.memberId));
  });

  it('keeps an acceptance that arrives after the figures have changed', async () => {
    await uploadBooks(4_000);
    const approvalId = await send();
    await approve(approvalId);
    await uploadBooks(5_000);
    const filing = {
      companyId: client.id,
      practiceId: practice.companyId,
      approvalId,
      obligationId: obligation.obligation_id,
    } as FilingRow;
    await getDb().transaction((tx) => recordFiledApproval(tx, filing, portal.deps.clock.now()));
    expect(await getApproval()).toMatchObject({ approval: { state: 'changed' } });
    const stagedResponse = await practice.admin.get('/open-tax/vat-returns', { company_id: practice.companyId, stage: 'filed' });
    expect(stagedResponse.body['returns']).toContainEqual(expect.objectContaining({ client_id: client.id, stage: 'filed' }));
    const unfiledUpdate = getDb().update(returnApprovals).set({ filedAt: null }).where(eq(returnApprovals.id, approvalId));
    await expect(findRefusal(unfiledUpdate)).resolves.toContain('return_approvals: UPDATE refused');
  });

  it('ends the request for other figures that was sent in the meantime', async () => {
    await uploadBooks(4_000);
    const approvalId = await send();
    await approve(approvalId);
    await uploadBooks(5_000);
    const laterId = await send();
    const filing = {
      companyId: client.id,
      practiceId: practice.companyId,
      approvalId,
      obligationId: obligation.obligation_id,
    } as FilingRow;
    await getDb().transaction((tx) => recordFiledApproval(tx, filing, portal.deps.clock.now()));
    expect(await approve(laterId)).toMatchObject({ status: 409, body: { code: 'approval.not_current' } });
  });

  it('keeps the VAT number that it was approved for, and prevents the practice from closing', async () => {
    await uploadBooks(4_000);
    await approve(await send());
    const { body } = await practice.admin.get('/client/profile', getIds());
    const changedResponse = await practice.admin.post('/open-tax/client-companies/facts', {
      ...getIds(),
      name: client.client.name,
      kind: client.client.kind,
      taxes: client.client.taxes,
      vrn: '123456782',
    });
    expect([changedResponse.status, changedResponse.body['code'], body['error']]).toEqual([409, 'client.return_under_way', undefined]);
    const closingResponse = await practice.admin.get('/v2/practice/closing', { company_id: practice.companyId });
    expect(closingResponse.body['blockers']).toContainEqual(
      expect.objectContaining({ kind: 'filing', text: expect.stringContaining(client.client.name) }),
    );
  });

  it('has figures for a return that HMRC lists while its file is applied', async () => {
    await uploadBooks(4_000);
    const [file] = await getDb().select().from(booksFiles).where(eq(booksFiles.companyId, client.id));
    const knownObligations = await getDb().select().from(obligations).where(eq(obligations.companyId, client.id));
    const lateObligation = knownObligations.find(({ id }) => id === obligation.obligation_id);
    if (!file || !lateObligation) throw new Error('no file or return');
    // The return didn't exist when the file's periods were read.
    await getDb()
      .delete(periodFigures)
      .where(and(eq(periodFigures.companyId, client.id), eq(periodFigures.obligationId, lateObligation.id)));
    await computeNewFigures(
      getDb(),
      client.id,
      knownObligations.filter(({ id }) => id !== lateObligation.id),
    );
    expect(await getReturn()).toMatchObject({ obligation: { state: 'ready' }, boxes: { box4_pence: 400_000 } });
  });

  it('says why HMRC doesn’t let the practice file', async () => {
    await uploadBooks(4_000);
    await approve(await send());
    await getDb().update(clients).set({ vrn: null }).where(eq(clients.id, client.id));
    expect(await file()).toMatchObject({ status: 409, body: { code: 'return.no_vat_number' } });
    expect(await getReturn()).toMatchObject({ obligation: { state: 'ready' }, refusal: expect.stringContaining('Nothing was filed') });
    expect(
      await getDb()
        .select({ n: sql`count(*)::int` })
        .from(filings)
        .where(eq(filings.companyId, client.id)),
    ).toEqual([{ n: 1 }]);
  });
});

describe('the return of a member of a VAT group', () => {
  const setGroup = (body: object) => practice.admin.post('/open-tax/client-companies/vat-group', { ...getIds(), ...body });

  it('is neither sent, approved nor filed, so that its own figures never go under the group’s number', async () => {
    await uploadBooks(20);
    const { figures_version: version } = await getReturn();
    const representative = queue.find((next) => next.client.vat?.vrn);
    // It keeps its role, so another test’s client has to be a different one.
    queue = queue.filter((next) => next !== representative);
    expect((await setGroup({ role: 'member', representative_id: representative?.id })).status).toBe(200);
    const seen = { ...getKey(), figures_version: version };
    const refused = { status: 409, body: { code: 'return.in_vat_group' } };
    expect(await practice.admin.post('/client/vat-return/send-for-approval', { ...seen, text: '' })).toMatchObject(refused);
    expect(
      await practice.admin.post('/client/vat-return/approved-outside', { ...seen, reason: 'By phone on Monday', confirm: true }),
    ).toMatchObject(refused);
    expect(await file()).toMatchObject(refused);
  });

  it('waits for approval neither when the client takes the group over nor when it leaves', async () => {
    await uploadBooks(20);
    const approvalId = await send();
    // An approval from before the portal refused it.
    await getDb()
      .update(clients)
      .set({ hasVat: false, vrn: null, vatGroupRole: 'member', vatGroupVrn: '193054661' })
      .where(eq(clients.id, client.id));
    expect(await approve(approvalId)).toMatchObject({ status: 409, body: { code: 'return.in_vat_group' } });
    for (const role of ['representative', 'none', 'member'])
      expect(await setGroup({ role, group_vrn: '' })).toMatchObject({ status: 409, body: { code: 'client.return_under_way' } });
  });
});
