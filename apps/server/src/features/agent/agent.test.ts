/**
 * Tests the assistant: who may switch it on, that it proposes each subject once, what users decide, what it does automatically, and how it
 * stops.
 */
import { randomUUID } from 'node:crypto';
import {
  agentProposals,
  auditEntries,
  clientMessageRecipients,
  clientPeople,
  clients,
  dueItems,
  returnApprovals,
  sessions,
  users,
  workItems,
} from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { addDays, plainDate, type PlainDate } from '@portal/domain/plain-date.ts';
import { AGENT_RULES } from '@portal/domain/agent/agent-rules.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startSession } from '../../http/session.ts';
import { addClient, addPractice, assignClient, type TestPractice } from '../../testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { createBrowser } from '../../testing/test-trader.ts';
import { propose } from './propose.ts';
import { runAgent } from './run-agent.ts';

let portal: TestPortal;
let practice: TestPractice;
let otherPractice: TestPractice;
let today: PlainDate;

beforeAll(async () => {
  portal = await openTestPortal({ at: '2026-11-10T09:00:00.000Z' });
  today = portal.deps.clock.today();
  otherPractice = await addPractice(portal);
});
afterAll(() => portal.close());
beforeEach(async () => {
  practice = await addPractice(portal);
});

const LIMITS = { drafts_per_day: 100, acts_per_day: 50 };
const post = (path: string, body: object, actingBrowser = practice.admin) =>
  actingBrowser.post(`/open-tax/${path}`, { company_id: practice.companyId, ...body });
const get = (path: string, query: Record<string, string> = {}, actingBrowser = practice.admin) =>
  actingBrowser.get(`/open-tax/${path}`, { company_id: practice.companyId, ...query });
const run = () => runAgent(portal.deps, practice.companyId, new AbortController().signal);
const enableAgent = async (mode = 'suggest', limits = LIMITS) => {
  expect((await post('agent-mode', { mode, ...limits })).status).toBe(200);
  await run();
};

type Proposal = {
  proposal_id: string;
  rule_id: string;
  title: string;
  state: string;
  version: number;
  is_by_agent: boolean;
  client: { client_id: string };
  facts: object[];
  act: { kind: string; subject?: string; body?: string };
  filled: { to: string | null; subject: string } | null;
};
const list = async (column: string, query: Record<string, string> = {}, actingBrowser = practice.admin) =>
  (await get('agent-proposals', { column, ...query }, actingBrowser)).body['proposals'] as Proposal[];
const listRuleIds = async (column: string, query = {}) => (await list(column, query)).map(({ rule_id: id }) => id).toSorted();
async function findDraft(ruleId: string, query = {}): Promise<Proposal> {
  const [draft] = await list('drafts', { rule_id: ruleId, ...query });
  if (!draft) throw new Error(`no draft of ${ruleId}`);
  return draft;
}
const toChoice = ({ proposal_id, version }: Proposal) => ({ proposal_id, version });
const approve = async (drafts: readonly Proposal[], actingBrowser = practice.admin) =>
  (await post('agent-proposals/approve', { proposals: drafts.map(toChoice) }, actingBrowser)).body['results'] as {
    outcome: string;
    message: string;
  }[];

/** Adds an assigned client with an email address and a VAT return due in ten days. */
async function addDueClient({ name = 'Brook Ltd', inDays = 10, member = practice.memberId as string | null } = {}): Promise<string> {
  const { db } = portal.deps.database;
  const id = await addClient(portal, practice.companyId, { name, vrn: String(Math.floor(1e8 + Math.random() * 9e8)) });
  await db
    .update(clients)
    .set({ email: `${id}@client.example` })
    .where(eq(clients.id, id));
  if (member !== null) await assignClient(portal, practice.companyId, id, member);
  await db.insert(dueItems).values({
    companyId: practice.companyId,
    clientId: id,
    tax: 'vat',
    key: 'return 2026-09-30',
    what: 'return',
    kind: 'return',
    dueOn: addDays(today, inDays),
    title: 'VAT return',
    periodStart: plainDate('2026-07-01'),
    periodEnd: plainDate('2026-09-30'),
    source: 'hmrc',
    asOf: portal.deps.clock.now(),
  });
  return id;
}

async function addTask(clientId: string): Promise<string> {
  const id = randomUUID();
  const task = {
    item_id: id,
    client_id: clientId,
    title: 'Prepare',
    notes: '',
    service: 'other',
    due_on: null,
    owner_id: null,
    checklist: [],
  };
  expect((await post('work-items', task)).status).toBe(200);
  return id;
}

const listAudit = async (action: string) =>
  portal.deps.database.db
    .select({ actor: auditEntries.actor, after: auditEntries.after })
    .from(auditEntries)
    .where(and(eq(auditEntries.companyId, practice.companyId), eq(auditEntries.action, action)));

describe('switching the assistant on', () => {
  it('needs an admin who has just confirmed who they are; switching off doesn’t', async () => {
    expect((await get('agent-mode')).body).toMatchObject({ mode: 'off', is_paused: false });
    expect((await post('agent-mode', { mode: 'suggest', ...LIMITS }, practice.member)).status).toBe(404);
    expect(
      (await otherPractice.admin.post('/open-tax/agent-mode', { company_id: practice.companyId, mode: 'suggest', ...LIMITS })).status,
    ).toBe(404);
    await portal.deps.database.db.update(sessions).set({ confirmedAt: null }).where(eq(sessions.userId, practice.adminId));
    expect(await post('agent-mode', { mode: 'suggest', ...LIMITS })).toMatchObject({ status: 403 });
    expect((await post('agent-mode', { mode: 'off', ...LIMITS })).status).toBe(200);
  });

  it('is preceded by a dry run of 30 days, which stores nothing', async () => {
    const clientId = await addDueClient({ inDays: -3 });
    await portal.deps.database.db
      .update(clients)
      .set({ createdAt: '2026-09-01T09:00:00.000Z' as never })
      .where(eq(clients.id, clientId));
    const dryRunResponse = await get('agent-mode/dry-run');
    expect(dryRunResponse.body).toMatchObject({ from: addDays(today, -29), to: today, clients: 1 });
    // Fourteen days before the return was due, and once it was late.
    const rules = dryRunResponse.body['rules'] as { rule_id: string; examples: { on: string }[] }[];
    const days = Object.fromEntries(rules.map(({ rule_id: id, examples }) => [id, examples[0]?.on]));
    expect(days).toMatchObject({ 'return-reminder': addDays(today, -17), 'return-late': addDays(today, -2) });
    expect((await get('agent-mode/dry-run', {}, practice.member)).status).toBe(404);
    expect(await list('watch')).toEqual([]);
  });
});

describe('proposals', () => {
  it('are made once, shown to those who can see the client, and withdrawn when the facts no longer hold', async () => {
    const clientId = await addDueClient();
    await addDueClient({ name: 'Far Ltd', member: practice.adminId });
    await enableAgent();
    await run();
    expect(await listRuleIds('drafts')).toEqual(['return-reminder', 'return-reminder']);
    expect((await list('drafts', {}, practice.member)).map(({ client }) => client.client_id)).toEqual([clientId]);
    expect((await list('drafts', {}, otherPractice.admin)) ?? []).toEqual([]);
    const draft = await findDraft('return-reminder', { client_id: clientId });
    expect(draft.filled).toMatchObject({ to: `${clientId}@client.example`, subject: 'Brook Ltd: VAT return due on 20 November 2026' });
    await portal.deps.database.db.delete(dueItems).where(eq(dueItems.clientId, clientId));
    // Approving rechecks the facts.
    expect(await approve([draft])).toMatchObject([{ outcome: 'withdrawn' }]);
    expect(await list('done')).toMatchObject([{ proposal_id: draft.proposal_id, state: 'withdrawn' }]);
  });

  it('follow a change without a run over all clients', async () => {
    const clientId = await addDueClient();
    await enableAgent();
    await practice.admin.post('/open-tax/client-companies/status', {
      company_id: practice.companyId,
      client_ids: [clientId],
      status: 'inactive',
    });
    await run();
    expect(await list('drafts')).toEqual([]);
  });

  it('become drafts up to the day’s limit, the most urgent first; the rest are only watched', async () => {
    for (const daysAhead of [12, 3, 8]) await addDueClient({ name: `In ${daysAhead}`, inDays: daysAhead });
    await enableAgent('suggest', { ...LIMITS, drafts_per_day: 2 });
    expect((await list('drafts')).map(({ title }) => title)).toEqual(['VAT return due in 3 days', 'VAT return due in 8 days']);
    expect(await listRuleIds('watch')).toEqual(['return-reminder']);
  });

  it('are drafted whatever people and tools propose on the same day', async () => {
    const clientId = await addDueClient();
    expect((await post('agent-mode', { mode: 'suggest', ...LIMITS, drafts_per_day: 1 })).status).toBe(200);
    const act = { kind: 'note', text: 'They called' };
    for (let times = 0; times < 2; times += 1)
      await post('agent-proposals', { proposal_id: randomUUID(), client_id: clientId, title: 'A note', act });
    await run();
    expect(await listRuleIds('drafts')).toEqual(['by-request', 'by-request', 'return-reminder']);
  });

  it('of a task name the colleague it would be assigned to', async () => {
    const clientId = await addDueClient();
    await enableAgent();
    const task = { kind: 'task', title: 'Call them', notes: '', service: 'other', due_on: null };
    for (const owner_id of [practice.memberId, null, otherPractice.adminId])
      await post('agent-proposals', {
        proposal_id: randomUUID(),
        client_id: clientId,
        title: `Of ${owner_id}`,
        act: { ...task, owner_id },
      });
    const [member] = await portal.deps.database.db.select().from(users).where(eq(users.id, practice.memberId));
    const response = await get('agent-proposals', { column: 'drafts', rule_id: 'by-request' });
    const owners = (response.body['proposals'] as { title: string; task_owner: string | null }[]).map(({ title, task_owner: owner }) => [
      title,
      owner,
    ]);
    expect(Object.fromEntries(owners)).toEqual({
      [`Of ${practice.memberId}`]: member?.fullName,
      'Of null': null,
      // Not a member, so the practice doesn’t learn the name, and approving is refused.
      [`Of ${otherPractice.adminId}`]: null,
    });
  });
});

describe('the client portal’s documents and returns', () => {
  const NEXT_WEEK = '2026-11-18T09:00:00.000Z';
  afterEach(() => portal.moveClock('2026-11-10T09:00:00.000Z'));

  /** Adds a client with a user who has access. */
  async function addPortalClient(): Promise<{ clientId: string; carl: ReturnType<typeof createBrowser> }> {
    const { database, clock, wallClock } = portal.deps;
    const clientId = await addClient(portal, practice.companyId, { name: 'Brook Ltd', vrn: String(Math.floor(1e8 + Math.random() * 9e8)) });
    await assignClient(portal, practice.companyId, clientId, practice.memberId);
    const [userId, createdAt] = [randomUUID(), clock.now()];
    await database.db.update(clients).set({ email: 'office@brook.example' }).where(eq(clients.id, clientId));
    await database.db.insert(users).values({ id: userId, email: `${userId}@brook.example`, fullName: 'Carl Brook', createdAt });
    await database.db.insert(clientPeople).values({ companyId: practice.companyId, clientId, userId, joinedAt: createdAt });
    const session = await startSession(database.db, wallClock, { userId, signInMethod: 'link', ip: '', userAgent: '' });
    return { clientId, carl: createBrowser(portal, `portal_session=${session}`) };
  }

  it('lead to proposals as they change: reminders with a link until a letter is signed, and of a request once its own reminders have ended', async () => {
    const { clientId, carl } = await addPortalClient();
    const clientKey = { client_id: clientId };
    const postClient = (path: string, body: object) => practice.admin.post(path, { company_id: practice.companyId, ...clientKey, ...body });
    await post('engagement-template', { text: 'Dear {client}' });
    portal.moveClock(NEXT_WEEK);
    await enableAgent();
    portal.moveClock('2026-11-10T09:00:00.000Z');
    // Switch on only after the run over all clients, so that just this change makes the rules consider them.
    await postClient('/client/engagement-letters', { letter_id: randomUUID() });
    const [requestId, itemId] = [randomUUID(), randomUUID()];
    const items = [{ item_id: itemId, kind: 'question', text: 'Which van did you sell?' }];
    await postClient('/client/requests', { request_id: requestId, title: 'The van', due_on: '2026-11-10', items });
    portal.moveClock(NEXT_WEEK);
    await run();
    expect(await listRuleIds('drafts', clientKey)).toEqual(['letter-unsigned', 'request-unanswered']);
    const letter = await findDraft('letter-unsigned');
    expect(letter).toMatchObject({
      facts: [
        { text: 'sent on 10 November 2026, unsigned', page: 'papers' },
        { label: 'Can sign', text: 'Carl Brook' },
      ],
      filled: { to: 'office@brook.example', subject: 'Brook Ltd: please sign our letter of engagement' },
    });
    expect(letter.act.body).toContain(`${portal.deps.site.publicUrl}/v2/open-tax/clients-portal/papers?company_id=${clientId}`);
    expect((await findDraft('request-unanswered')).act).toMatchObject({ kind: 'task', title: 'Call about the request “The van”' });

    const ownKey = { company_id: clientId };
    const [sentLetter] = (await carl.get('/client/engagement-letters', { ...ownKey, client_id: clientId })).body['letters'] as {
      letter_id: string;
      digest: string;
    }[];
    const sign = { ...ownKey, letter_id: sentLetter?.letter_id, digest: sentLetter?.digest, full_name: 'Carl Brook', agree: true };
    expect((await carl.post('/client/engagement-letters/sign', sign)).status).toBe(200);
    expect((await carl.post('/client/requests/answer', { ...ownKey, item_id: itemId, answer: 'The red one' })).status).toBe(200);
    await run();
    expect(await listRuleIds('drafts', clientKey)).toEqual([]);
    expect(await listRuleIds('done', clientKey)).toEqual(['letter-unsigned', 'request-unanswered']);
  });

  it('lead to a task about the flat rate scheme once, from a year of filed returns with its arithmetic', async () => {
    const { clientId } = await addPortalClient();
    const { companyId, adminId: requestedBy } = practice;
    const boxes = {
      box1_pence: 500_000,
      box2_pence: 0,
      box3_pence: 500_000,
      box4_pence: 100_000,
      box5_pence: 400_000,
      box6_pounds: 25_000,
      box7_pounds: 5000,
      box8_pounds: 0,
      box9_pounds: 0,
      direction: 'payment',
    } as typeof returnApprovals.$inferInsert.boxes;
    const periodStarts = ['2025-10-01', '2026-01-01', '2026-04-01', '2026-07-01', '2026-10-01'].map(plainDate);
    const now = portal.deps.clock.now();
    const sharedFields = {
      companyId,
      clientId,
      boxes,
      digest: 'd',
      state: 'approved',
      requestedBy,
      requestedAt: now,
      decidedAt: now,
      filedAt: now,
    } as const;
    const returns = periodStarts.slice(0, 4).map((periodStart, index) => {
      const periodEnd = addDays(periodStarts[index + 1] ?? periodStart, -1);
      return { ...sharedFields, id: randomUUID(), obligationId: randomUUID(), periodStart, periodEnd, dueOn: addDays(periodEnd, 38) };
    });
    await portal.deps.database.db.insert(returnApprovals).values(returns);
    // A replaced version must not count as a second one.
    const ended = {
      ...sharedFields,
      state: 'withdrawn',
      filedAt: null,
      endedAt: now,
      id: randomUUID(),
      obligationId: randomUUID(),
    } as const;
    await portal.deps.database.db
      .insert(returnApprovals)
      .values({ ...ended, periodStart: plainDate('2026-07-01'), periodEnd: plainDate('2026-09-30'), dueOn: plainDate('2026-11-07') });
    await enableAgent();
    const draft = await findDraft('flat-rate-suits', { client_id: clientId });
    expect(draft.title).toBe('Flat rate scheme may be suitable: net VAT is 13.3% of VAT-inclusive turnover');
    expect(draft.facts).toContainEqual(
      expect.objectContaining({ text: '£16,000.00 / £120,000.00 = 13.3%', page: 'vat', source: 'practice' }),
    );
    expect(await approve([draft], practice.member)).toMatchObject([{ outcome: 'done' }]);
    await run();
    expect(await list('drafts', { rule_id: 'flat-rate-suits' })).toEqual([]);
  });
});

describe('a person', () => {
  it('approves a message, which is sent once, in their name and with rule and version in the audit trail', async () => {
    const clientId = await addDueClient();
    await enableAgent();
    const draft = await findDraft('return-reminder');
    expect(await approve([draft], practice.member)).toMatchObject([
      { outcome: 'failed', message: expect.stringContaining('Message clients') as string },
    ]);
    const outcomes = await Promise.all([approve([draft]), approve([draft])]);
    expect(
      outcomes
        .flat()
        .map(({ outcome }) => outcome)
        .toSorted(),
    ).toEqual(['already', 'done']);
    const sentMessages = await portal.deps.database.db
      .select({ subject: clientMessageRecipients.subject, messageId: clientMessageRecipients.messageId })
      .from(clientMessageRecipients)
      .where(eq(clientMessageRecipients.clientId, clientId));
    expect(sentMessages).toEqual([{ subject: 'Brook Ltd: VAT return due on 20 November 2026', messageId: draft.proposal_id }]);
    expect(await listAudit('agent.approved')).toMatchObject([
      { actor: practice.adminId, after: { rule: 'return-reminder', rule_version: 2, client_ids: [clientId] } },
    ]);
    await run();
    expect(await list('drafts')).toEqual([]);
  });

  it('edits a text, and no one approves or overwrites what they haven’t seen', async () => {
    await addDueClient();
    await enableAgent();
    const draft = await findDraft('return-reminder');
    const action = { ...draft.act, subject: 'A word about {client}' };
    const editedResponse = await post('agent-proposals/edit', { ...toChoice(draft), act: action });
    expect(editedResponse.body).toMatchObject({ wording: 'person', version: 2, filled: { subject: 'A word about Brook Ltd' } });
    expect((await post('agent-proposals/edit', { ...toChoice(draft), act: action })).status).toBe(409);
    expect(await approve([draft])).toMatchObject([{ outcome: 'changed' }]);
    expect((await post('agent-proposals/edit', { ...toChoice(draft), version: 2, act: { kind: 'tag', tag: 'x' } })).status).toBe(400);
    await run();
    expect((await findDraft('return-reminder')).act.subject).toBe('A word about {client}');
  });

  it('approves the text that they edited, even on a later day, when its title names fewer days', async () => {
    const clientId = await addDueClient();
    await enableAgent();
    const draft = await findDraft('return-reminder');
    const action = { ...draft.act, subject: 'A word about {client}' };
    const { version } = (await post('agent-proposals/edit', { ...toChoice(draft), act: action })).body as { version: number };
    portal.moveClock('2026-11-11T09:00:00.000Z');
    try {
      await run();
      const nextDayDraft = await findDraft('return-reminder');
      expect(nextDayDraft).toMatchObject({ title: 'VAT return due in 9 days', version, act: { subject: 'A word about {client}' } });
      expect(await approve([nextDayDraft])).toMatchObject([{ outcome: 'done' }]);
    } finally {
      portal.moveClock('2026-11-10T09:00:00.000Z');
    }
    const sentMessages = await portal.deps.database.db
      .select({ subject: clientMessageRecipients.subject })
      .from(clientMessageRecipients)
      .where(eq(clientMessageRecipients.clientId, clientId));
    expect(sentMessages).toEqual([{ subject: 'A word about Brook Ltd' }]);
  });

  it('can edit only the text, so that the approved action concerns the task, person and tax that the draft names', async () => {
    const clientId = await addDueClient();
    const otherClientId = await addDueClient({ name: 'Far Ltd', member: practice.adminId });
    await enableAgent();
    const [task, otherTask] = [await addTask(clientId), await addTask(otherClientId)];
    const [admin] = await portal.deps.database.db.select().from(users).where(eq(users.id, practice.adminId));
    const proposeAction = async (act: object): Promise<Proposal> => {
      const id = randomUUID();
      const response = await post('agent-proposals', { proposal_id: id, client_id: clientId, title: 'A proposal', act }, practice.member);
      expect(response.status).toBe(200);
      const found = (await list('drafts', { rule_id: 'by-request' })).find(({ proposal_id: proposalId }) => proposalId === id);
      if (!found) throw new Error('no draft');
      return found;
    };
    const edit = async (draft: Proposal, change: object) =>
      (await post('agent-proposals/edit', { ...toChoice(draft), act: { ...draft.act, ...change } }, practice.member)).status;
    const assignTask = { kind: 'assign_task', item_id: task, title: 'x', user_id: practice.memberId, name: 'x' };
    const taskDraft = await proposeAction(assignTask);
    expect(await edit(taskDraft, { item_id: otherTask })).toBe(400);
    expect(await edit(taskDraft, { user_id: practice.adminId })).toBe(400);
    expect(await edit(taskDraft, { title: 'Another task' })).toBe(400);
    const clientDraft = await proposeAction({ kind: 'assign', user_id: practice.memberId, name: 'x', duty: 'manager' });
    expect(await edit(clientDraft, { name: admin?.fullName })).toBe(400);
    expect(await edit(await proposeAction({ kind: 'request_authorisation', tax: 'vat' }), { tax: 'sa' })).toBe(400);
    const newTask = { kind: 'task', title: 'Call them', notes: '', service: 'other', due_on: null, owner_id: null };
    const newTaskDraft = await proposeAction(newTask);
    expect(await edit(newTaskDraft, { owner_id: practice.adminId })).toBe(400);
    expect(await edit(newTaskDraft, { title: 'Call them today', notes: 'About their bank' })).toBe(200);
  });

  it('rejects, and the rule learns: later, not this client, or a threshold', async () => {
    const [firstClientId, secondClientId] = [await addDueClient({ name: 'One' }), await addDueClient({ name: 'Two', inDays: 9 })];
    await enableAgent();
    const [first, second] = [
      await findDraft('return-reminder', { client_id: firstClientId }),
      await findDraft('return-reminder', { client_id: secondClientId }),
    ];
    const reject = (draft: Proposal, body: object, actingBrowser = practice.admin) =>
      post('agent-proposals/reject', { proposal_ids: [draft.proposal_id], ...body }, actingBrowser);
    expect((await reject(first, { lesson: 'snooze', snooze_until: today })).status).toBe(400);
    await reject(first, { lesson: 'snooze', snooze_until: addDays(today, 2), reason: 'They called' });
    await reject(second, { lesson: 'never' }, practice.member);
    await run();
    expect(await list('drafts')).toEqual([]);
    portal.moveClock('2026-11-12T09:00:00.000Z');
    try {
      await run();
      expect((await list('drafts')).map(({ client }) => client.client_id)).toEqual([firstClientId]);
      const nextDraft = await findDraft('return-reminder');
      expect((await reject(nextDraft, { lesson: 'threshold', threshold: 5 }, practice.member)).status).toBe(403);
      await reject(nextDraft, { lesson: 'threshold', threshold: 5 });
      const rules = (await get('agent-rules')).body as { rules: { rule_id: string; threshold: { value: number } }[]; exclusions: object[] };
      expect(rules.rules.find(({ rule_id: id }) => id === 'return-reminder')?.threshold.value).toBe(5);
      expect(rules.rules).toHaveLength(AGENT_RULES.length);
      expect(rules.exclusions).toMatchObject([{ client_id: secondClientId, rule_id: 'return-reminder' }]);
    } finally {
      portal.moveClock('2026-11-10T09:00:00.000Z');
    }
  });

  it('switches rules for the practice and for a client', async () => {
    const clientId = await addDueClient();
    await enableAgent();
    const rule = { rule_id: 'return-reminder', threshold: null, off_taxes: [] };
    expect((await post('agent-rules', { ...rule, is_on: false }, practice.member)).status).toBe(404);
    await post('agent-rules', { ...rule, is_on: false });
    await run();
    expect(await listRuleIds('drafts')).toEqual([]);
    await post('agent-rules', { ...rule, is_on: true });
    await post('agent-exclusions', { client_id: clientId, rule_id: 'every-rule', is_off: true }, practice.member);
    await run();
    expect(await listRuleIds('drafts')).toEqual([]);
    await post('agent-exclusions', { client_id: clientId, rule_id: 'every-rule', is_off: false });
    await run();
    expect(await listRuleIds('drafts')).toEqual(['return-reminder']);
  });
});

describe('a proposal by a person or a tool', () => {
  it('is a draft once, for a client that its author can see, and is approved like any other', async () => {
    const clientId = await addDueClient();
    await enableAgent();
    const [user] = await portal.deps.database.db.select().from(users).where(eq(users.id, practice.memberId));
    const actor = {
      userId: practice.memberId,
      email: user?.email ?? '',
      fullName: 'Kit',
      isOperator: false,
      signInMethod: 'link',
      role: 'team_member',
    } as const;
    const task = { kind: 'task', title: 'Call them', notes: '', service: 'other', due_on: null, owner_id: null } as const;
    const proposedTask = { id: randomUUID(), clientId, title: 'They wrote', act: task };
    const by = { companyId: practice.companyId, actor, ip: '' };
    for (let times = 0; times < 2; times += 1)
      expect(await propose(portal.deps, by, proposedTask)).toEqual({ proposal_id: proposedTask.id });
    const otherPracticeClient = await addClient(portal, practice.companyId);
    await expect(propose(portal.deps, by, { ...proposedTask, id: randomUUID(), clientId: otherPracticeClient })).rejects.toMatchObject({
      kind: 'notFound',
    });
    await run();
    expect(await approve([await findDraft('by-request')], practice.member)).toMatchObject([{ outcome: 'done' }]);
    const tasks = await portal.deps.database.db.select({ title: workItems.title }).from(workItems).where(eq(workItems.clientId, clientId));
    expect(tasks).toEqual([{ title: 'Call them' }]);
    expect((await post('agent-proposals/revert', { proposal_id: proposedTask.id }, practice.member)).status).toBe(200);
    expect((await get('work-items', { status: 'open' })).body['items']).toEqual([]);
    // The reviewer sees the names that belong to the IDs, whatever names the caller sends.
    const assign = { kind: 'assign', user_id: practice.adminId, name: 'Someone else', duty: 'manager' } as const;
    const proposedAssignment = { id: randomUUID(), clientId, title: 'Look after them', act: assign };
    await propose(portal.deps, by, proposedAssignment);
    const [storedProposal] = await portal.deps.database.db
      .select({ act: agentProposals.act })
      .from(agentProposals)
      .where(eq(agentProposals.id, proposedAssignment.id));
    const [admin] = await portal.deps.database.db.select().from(users).where(eq(users.id, practice.adminId));
    expect(storedProposal?.act).toMatchObject({ name: admin?.fullName });
    const unknownAssignment = { ...proposedAssignment, id: randomUUID(), act: { ...assign, user_id: randomUUID() } };
    await expect(propose(portal.deps, by, unknownAssignment)).rejects.toMatchObject({ kind: 'invalid' });
  });
});

describe('reverting an assigned task', () => {
  it('returns it to its previous owner, unless a colleague has reassigned it since', async () => {
    const clientId = await addDueClient();
    await assignClient(portal, practice.companyId, clientId, practice.adminId);
    await enableAgent();
    const item = await addTask(clientId);
    const { db } = portal.deps.database;
    const getOwner = async () => (await db.select({ owner: workItems.ownerId }).from(workItems).where(eq(workItems.id, item)))[0]?.owner;
    const setOwner = (ownerId: string) => post('work-items/change', { item_ids: [item], owner_id: ownerId });
    const assign = async (): Promise<string> => {
      const id = randomUUID();
      const act = { kind: 'assign_task', item_id: item, title: '', user_id: practice.memberId, name: '' };
      await post('agent-proposals', { proposal_id: id, client_id: clientId, title: 'Reassign', act });
      expect(await approve([await findDraft('by-request')])).toMatchObject([{ outcome: 'done' }]);
      expect(await getOwner()).toBe(practice.memberId);
      return id;
    };
    expect((await setOwner(practice.adminId)).status).toBe(200);
    expect((await post('agent-proposals/revert', { proposal_id: await assign() })).status).toBe(200);
    expect(await getOwner()).toBe(practice.adminId);
    const secondId = await assign();
    expect((await setOwner(practice.adminId)).status).toBe(200);
    expect((await post('agent-proposals/revert', { proposal_id: secondId })).status).toBe(200);
    expect(await getOwner()).toBe(practice.adminId);
  });
});

/** Enough clients for the stop to take effect before the last of them. */
const CLIENT_COUNT = 30;

describe('safe actions', () => {
  it('include assigning, tagging and adding notes with the rights of the admin who allowed them, send nothing, and can be reverted', async () => {
    const clientId = await addDueClient({ member: null });
    await enableAgent('act_on_safe');
    const doneProposals = await list('done');
    expect(doneProposals).toMatchObject([{ rule_id: 'client-unassigned', state: 'done', is_by_agent: true }]);
    expect(await listRuleIds('drafts')).toEqual(['return-reminder']);
    expect(await listAudit('agent.acted')).toMatchObject([
      { actor: practice.adminId, after: { rule: 'client-unassigned', rule_version: 1 } },
    ]);
    const countMembers = async () =>
      (
        (await practice.admin.get('/open-tax/client-companies', { company_id: practice.companyId })).body['clients'] as {
          members: object[];
        }[]
      )[0]?.members.length;
    expect(await countMembers()).toBe(1);
    expect((await post('agent-proposals/revert', { proposal_id: doneProposals[0]?.proposal_id })).status).toBe(200);
    expect(await countMembers()).toBe(0);
    // An action that a user has reverted isn't repeated.
    await run();
    expect(await list('done', { client_id: clientId })).toMatchObject([{ state: 'reverted' }]);
    expect(await countMembers()).toBe(0);
  });

  it('stop on every instance, and none starts until an admin resumes them', async () => {
    for (let number = 0; number < CLIENT_COUNT; number += 1) await addDueClient({ name: `Client ${number}`, member: null });
    expect((await post('agent-mode', { mode: 'act_on_safe', ...LIMITS })).status).toBe(200);
    const second = await portal.openInstance();
    const signal = new AbortController().signal;
    try {
      const runs = [runAgent(portal.deps, practice.companyId, signal), runAgent(second.deps, practice.companyId, signal)];
      await expect.poll(async () => (await list('done')).length, { timeout: 60_000, interval: 5 }).toBeGreaterThan(0);
      // A member stops the assistant through a different instance from the one that acts.
      const member = createBrowser(second, practice.cookies.member);
      expect((await post('agent-mode/pause', { is_paused: true }, member)).status).toBe(200);
      await Promise.all(runs);
      const after = (await list('done', { limit: '100' })).length;
      await Promise.all([runAgent(portal.deps, practice.companyId, signal), runAgent(second.deps, practice.companyId, signal)]);
      expect((await list('done', { limit: '100' })).length).toBe(after);
      expect(after).toBeLessThan(CLIENT_COUNT);
    } finally {
      await second.close();
    }
    const drafts = [...(await list('drafts')), ...(await list('watch'))];
    expect(await approve(drafts.slice(0, 1))).toMatchObject([{ outcome: 'failed', message: expect.stringContaining('paused') as string }]);
    expect((await post('agent-mode/pause', { is_paused: false }, practice.member)).status).toBe(403);
    expect((await post('agent-mode/pause', { is_paused: false })).body).toMatchObject({ is_paused: false });
    await run();
    expect((await list('done', { limit: '100' })).filter(({ rule_id: id }) => id === 'client-unassigned')).toHaveLength(CLIENT_COUNT);
    // Allows for thirty actions, each in three transactions, on a busy machine.
  }, 300_000);
});
