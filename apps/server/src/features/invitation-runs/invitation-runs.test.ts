/**
 * Tests inviting a selection of clients: who is left out, pausing, sending each email at most once whatever fails, and the list of states.
 */
import { randomInt, randomUUID } from 'node:crypto';
import {
  attempts,
  clientContacts,
  clientInvitations,
  clientPeople,
  clients,
  invitationRuns,
  memberships,
  users,
} from '@portal/db/schema/schema.ts';
import { and, eq, inArray } from '@portal/db/sql.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AppDeps } from '../../app-deps.ts';
import { addHmrcConnection, addPractice, assignClient, type TestPractice } from '../../testing/add-practice.ts';
import { addClientWithEmail } from '../../testing/mailbox-steps.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { sendInvitations } from './send-invitations.ts';

let portal: TestPortal;
let practice: TestPractice;

beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());
beforeEach(async () => {
  practice = await addPractice(portal);
  await addHmrcConnection(portal, practice.companyId, { accessToken: 'a', refreshToken: 'r' });
});

const addClients = async (count: number): Promise<string[]> => {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const name = `Client ${String(index).padStart(3, '0')}`;
    ids.push(await addClientWithEmail(portal, practice.companyId, name, `c${index}@${practice.companyId}.example`));
  }
  return ids;
};
const post = (path: string, body: object, browser = practice.admin) =>
  browser.post(`/open-tax/${path}`, { company_id: practice.companyId, ...body });
const get = (path: string, query: Record<string, string> = {}, browser = practice.admin) =>
  browser.get(`/open-tax/${path}`, { company_id: practice.companyId, ...query });
const listOwnEmails = () => portal.sentEmails.filter(({ to }) => to.endsWith(`@${practice.companyId}.example`)).map(({ to }) => to);

async function start(clientIds: readonly string[]): Promise<string> {
  const run_id = randomUUID();
  const startedResponse = await post('invitation-runs', { run_id, client_ids: clientIds, count: clientIds.length });
  expect(startedResponse.status, JSON.stringify(startedResponse.body)).toBe(200);
  return run_id;
}
const send = (run: string, deps: AppDeps = portal.deps) =>
  sendInvitations(deps, { companyId: practice.companyId, runId: run }, AbortSignal.timeout(600_000));
const readCounts = async (run: string) =>
  ((await get('invitation-runs/details', { run_id: run })).body['run'] as { counts: Record<string, number> }).counts;

describe('a selection', () => {
  it('is counted first, with who is left out and why, and then exactly those clients are invited, once', async () => {
    const { db } = portal.deps.database;
    const at = portal.deps.clock.now();
    const [readyClient = '', joinedClient = '', archivedClient = '', silentClient = ''] = await addClients(4);
    const contact = {
      companyId: practice.companyId,
      clientId: silentClient,
      id: randomUUID(),
      name: 'Ann',
      role: '',
      phone: '',
      createdAt: at,
      updatedAt: at,
    };
    await db.update(clients).set({ email: null }).where(eq(clients.id, silentClient));
    const userId = randomUUID();
    await db.insert(users).values({ id: userId, email: `c1@${practice.companyId}.example`, fullName: 'Joined', createdAt: at });
    await db.insert(clientPeople).values({ companyId: practice.companyId, clientId: joinedClient, userId, joinedAt: at });
    await db.update(clients).set({ status: 'inactive' }).where(eq(clients.id, archivedClient));
    const selection = { client_ids: [readyClient, joinedClient, archivedClient, silentClient] };
    expect((await post('invitation-runs/preview', selection)).body).toEqual({
      ready: 1,
      sample: [{ name: 'Client 000', email: `c0@${practice.companyId}.example` }],
      left_out: { no_email: 1, has_access: 1, archived: 1, already_invited: 0, undeliverable: 0 },
    });
    expect(await post('invitation-runs', { run_id: randomUUID(), ...selection, count: 2 })).toMatchObject({ status: 409 });
    await db.insert(clientContacts).values({ ...contact, email: `Ann@${practice.companyId}.example` });
    const run_id = randomUUID();
    for (let times = 0; times < 2; times += 1) {
      expect((await post('invitation-runs', { run_id, ...selection, count: 2 })).body).toEqual({ run_id, total: 2 });
    }
    await portal.runJobs();
    expect(listOwnEmails().toSorted()).toEqual([`ann@${practice.companyId}.example`, `c0@${practice.companyId}.example`]);
    expect((await get('client-invitations')).body).toMatchObject({ counts: { sent: 2, draft: 0, accepted: 0 } });
    expect((await post('invitation-runs/preview', selection)).body).toMatchObject({ ready: 0, left_out: { already_invited: 2 } });
  });

  it('stops while it is paused, and then continues', async () => {
    const run = await start(await addClients(3));
    await post('invitation-runs/pause', { run_id: run, is_paused: true });
    await portal.runJobs();
    expect(listOwnEmails()).toEqual([]);
    await post('invitation-runs/pause', { run_id: run, is_paused: false });
    await portal.runJobs();
    expect(listOwnEmails()).toHaveLength(3);
    expect((await get('invitation-runs')).body['runs']).toMatchObject([{ run_id: run, state: 'ended', total: 3, counts: { sent: 3 } }]);
  });

  it('of a team member covers assigned clients only and needs the permission; another practice finds nothing', async () => {
    const [ownClient = '', outsideClient = ''] = await addClients(2);
    await assignClient(portal, practice.companyId, ownClient, practice.memberId);
    expect((await post('invitation-runs/preview', { client_ids: [ownClient] }, practice.member)).status).toBe(403);
    const isMember = and(eq(memberships.companyId, practice.companyId), eq(memberships.userId, practice.memberId));
    await portal.deps.database.db
      .update(memberships)
      .set({ permissions: ['invite_clients'] })
      .where(isMember);
    expect((await post('invitation-runs/preview', { client_ids: [ownClient, outsideClient] }, practice.member)).body).toMatchObject({
      ready: 1,
    });
    const run = await start([outsideClient]);
    expect((await get('invitation-runs/details', { run_id: run }, practice.member)).status).toBe(404);
    const otherPractice = await addPractice(portal);
    for (const [path, body] of [
      ['pause', { is_paused: true }],
      ['repeat', { client_id: outsideClient }],
    ] as const) {
      const response = await otherPractice.admin.post(`/open-tax/invitation-runs/${path}`, {
        company_id: otherPractice.companyId,
        run_id: run,
        ...body,
      });
      expect(response.status).toBe(404);
    }
  });
});

describe('a run', () => {
  it('ends when its practice closes, even if it is paused', async () => {
    const [first = '', second = ''] = await addClients(2);
    const run = await start([first]);
    await post('invitation-runs/pause', { run_id: await start([second]), is_paused: true });
    const closeResponse = await practice.admin.post('/v2/practice/close', {
      company_id: practice.companyId,
      confirm_with: 'Oakline Accounting',
    });
    expect(closeResponse.status, JSON.stringify(closeResponse.body)).toBe(200);
    // Runs before the job that deletes the practice.
    await send(run);
    expect(listOwnEmails()).toEqual([]);
    const runs = await portal.deps.database.db.select().from(invitationRuns).where(eq(invitationRuns.companyId, practice.companyId));
    expect(runs.map(({ state }) => state)).toEqual(['ended', 'ended']);
  });

  it('waits for the mail server, and then sends as if it were the first attempt', async () => {
    const [clientId = ''] = await addClients(1);
    const run = await start([clientId]);
    const refusedConnection = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ESOCKET', syscall: 'connect' });
    const mailer = { ...portal.deps.mailer, send: () => Promise.reject(refusedConnection) };
    for (let tries = 0; tries < 5; tries += 1) await send(run, { ...portal.deps, mailer });
    expect((await get('invitation-runs/details', { run_id: run })).body['run']).toMatchObject({
      waits: 'mail_server',
      counts: { queued: 1 },
    });
    await send(run);
    expect(await readCounts(run)).toMatchObject({ sent: 1, skipped: 0, queued: 0 });
    expect(listOwnEmails()).toEqual([`c0@${practice.companyId}.example`]);
    const { body } = await practice.admin.get('/client/timeline', { company_id: practice.companyId, client_id: clientId });
    const titles = (body['entries'] as { title: string }[]).map(({ title }) => title.replace(/: .*/, ''));
    expect(titles.filter((title) => /^(Email|Invited)/.test(title)).toSorted()).toEqual(['Email sent', 'Invited to the client portal']);
    const subjects = [`day:invited:c0@${practice.companyId}.example`, `day:invitations:clients:${practice.companyId}`];
    const attemptRows = await portal.deps.database.db.select().from(attempts).where(inArray(attempts.subject, subjects));
    expect(attemptRows.map(({ count }) => count)).toEqual([1, 1]);
  });
});

describe('50 kills', () => {
  it('send no invitation twice, lose none, and leave unknown outcomes to a person', async () => {
    const ids = await addClients(160);
    const run = await start(ids);
    let kills = 0;
    let killProcess = (): void => undefined;
    const neverSettles = new Promise<never>(() => undefined);
    // Simulates a killed process: the call never returns, and nothing more is stored.
    const kill = (): Promise<never> => {
      kills += 1;
      killProcess();
      return neverSettles;
    };
    const mailer: AppDeps['mailer'] = {
      ...portal.deps.mailer,
      send: async (email, id) => {
        const outcome = kills < 50 ? randomInt(4) : 3;
        if (outcome === 0) return kill();
        await portal.deps.mailer.send(email, id);
        if (outcome === 1) await kill();
      },
    };
    while ((await readCounts(run))['queued'] !== 0) {
      const death = new Promise<void>((resolve) => (killProcess = resolve));
      await Promise.race([send(run, { ...portal.deps, mailer }), death]);
    }
    await send(run);
    expect(kills).toBe(50);
    const outcome = await readCounts(run);
    expect(outcome).toMatchObject({ queued: 0, sending: 0, sent: 110, unknown: 50 });
    const emails = listOwnEmails();
    expect(new Set(emails).size).toBe(emails.length);

    // Only a practice member can resend it, which invalidates its earlier link.
    const { clients: rows } = (await get('invitation-runs/details', { run_id: run, status: 'unknown' })).body as {
      clients: { client_id: string; email: string }[];
    };
    const [first] = rows;
    const isFirst = and(eq(clientInvitations.companyId, practice.companyId), eq(clientInvitations.clientId, first?.client_id ?? ''));
    const before = await portal.deps.database.db.select().from(clientInvitations).where(isFirst);
    await post('invitation-runs/repeat', { run_id: run, client_id: first?.client_id });
    await portal.runJobs();
    const after = await portal.deps.database.db.select().from(clientInvitations).where(isFirst);
    expect(after).toHaveLength(1);
    expect(after[0]?.tokenHash).not.toBe(before[0]?.tokenHash);
    expect(await readCounts(run)).toMatchObject({ sent: 111, unknown: 49 });
    expect((await post('invitation-runs/repeat', { run_id: run, client_id: first?.client_id })).status).toBe(409);
  });
});
