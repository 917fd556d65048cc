/**
 * Tests filtering the client list by invitation to the client portal: the list, its count, the export, and inviting everyone that the
 * filter finds.
 */
import { randomUUID } from 'node:crypto';
import { clientInvitations, clientPeople } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import { addMilliseconds, type Instant } from '@portal/domain/clock.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addPractice, assignClient, type TestPractice } from '../../testing/add-practice.ts';
import { addClientWithEmail } from '../../testing/mailbox-steps.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { purgeClientInvitations } from '../client-portal/purge-client-invitations.ts';

let portal: TestPortal;
let practice: TestPractice;
let now: Instant;

beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());
beforeEach(async () => {
  practice = await addPractice(portal);
  now = portal.deps.wallClock.now();
});

const get = (path: string, query: Record<string, string>, browser = practice.admin) =>
  browser.get(`/open-tax/${path}`, { company_id: practice.companyId, ...query });
const post = (path: string, body: object) => practice.admin.post(`/open-tax/${path}`, { company_id: practice.companyId, ...body });

const addInvitable = (name: string) =>
  addClientWithEmail(portal, practice.companyId, name, `${name.toLowerCase().replaceAll(' ', '-')}@list.example`);

async function invite(clientId: string, changes: Partial<typeof clientInvitations.$inferInsert> = {}): Promise<void> {
  const row = {
    companyId: practice.companyId,
    clientId,
    id: randomUUID(),
    email: `${randomUUID()}@list.example`,
    invitedBy: practice.adminId,
  };
  const sentDates = { invitedAt: now, sentAt: now, expiresAt: addMilliseconds(now, 1_000_000_000) };
  await portal.deps.database.db.insert(clientInvitations).values({ ...row, ...sentDates, ...changes });
}

const join = (clientId: string, joinedAt: Instant) =>
  portal.deps.database.db.insert(clientPeople).values({ companyId: practice.companyId, clientId, userId: practice.memberId, joinedAt });

async function find(invitation: string, extraQuery: Record<string, string> = {}, browser = practice.admin): Promise<string[]> {
  const { status, body } = await get('client-companies', { invitation, ...extraQuery }, browser);
  expect(status, JSON.stringify(body)).toBe(200);
  const names = (body['clients'] as { name: string }[]).map(({ name }) => name).toSorted();
  expect((await get('client-companies/count', { invitation, ...extraQuery }, browser)).body['count']).toBe(names.length);
  return names;
}

describe('the filter by invitation', () => {
  it('uses the newest invitation of each client, in the list, its count and the export', async () => {
    const neverInvited = await addInvitable('Never');
    const states = {
      Draft: { sentAt: null, expiresAt: null },
      Sent: {},
      Opened: { openedAt: now },
      Accepted: { openedAt: now, acceptedAt: now, acceptedBy: practice.adminId },
      Expired: { expiresAt: addMilliseconds(now, -1) },
      Revoked: { revokedAt: now },
      Bounced: { bouncedAt: now },
    };
    for (const [name, changes] of Object.entries(states)) {
      const clientId = await addInvitable(name);
      await invite(clientId, { invitedAt: addMilliseconds(now, -1000), acceptedAt: now, acceptedBy: practice.adminId });
      await invite(clientId, changes);
    }
    for (const name of Object.keys(states)) expect(await find(name.toLowerCase()), name).toEqual([name]);
    expect(await find('none')).toEqual(['Never']);
    expect(await find('none', { q: 'bounced' })).toEqual([]);
    expect((await get('client-companies', { invitation: 'lost' })).status).toBe(400);
    const exportResponse = await portal.app.inject({
      url: '/portal/open-tax/export-table',
      query: { company_id: practice.companyId, invitation: 'bounced' },
      headers: { cookie: practice.cookies.admin },
    });
    expect(exportResponse.body).toContain('Bounced');
    expect(exportResponse.body).not.toContain('Expired');
    await assignClient(portal, practice.companyId, neverInvited, practice.memberId);
    expect(await find('none', {}, practice.member)).toEqual(['Never']);
    expect(await find('sent', {}, practice.member)).toEqual([]);
  });

  it('finds the same clients after old invitations have been deleted', async () => {
    const getDaysAgo = (days: number, from = portal.deps.clock.now()) => addMilliseconds(from, -days * 86_400_000);
    const accept = async (clientId: string) => {
      const acceptedAt = getDaysAgo(95);
      await invite(clientId, { invitedAt: getDaysAgo(100), acceptedAt, acceptedBy: practice.memberId });
      await join(clientId, acceptedAt);
    };
    await addInvitable('Never');
    await accept(await addInvitable('Joined'));
    // The other director's invitation wasn't accepted, and isn't deleted yet.
    const first = await addInvitable('First of two');
    await invite(first, { invitedAt: getDaysAgo(101), expiresAt: getDaysAgo(80, now) });
    await accept(first);
    const second = await addInvitable('Second invited');
    await accept(second);
    await invite(second, { invitedAt: getDaysAgo(1) });
    for (const daysLeft of [5, 2]) {
      const isOwn = eq(clientInvitations.companyId, practice.companyId);
      expect(await portal.deps.database.db.$count(clientInvitations, isOwn)).toBe(daysLeft);
      expect(await find('none'), `${daysLeft} left`).toEqual(['Never']);
      expect(await find('accepted'), `${daysLeft} left`).toEqual(['First of two', 'Joined']);
      expect(await find('sent'), `${daysLeft} left`).toEqual(['Second invited']);
      expect(await find('expired'), `${daysLeft} left`).toEqual([]);
      await purgeClientInvitations(portal.deps);
    }
  });

  it('selects clients to invite, and a repeated call invites no one twice although none match any more', async () => {
    const invitedClient = await addInvitable('Invited');
    await invite(invitedClient);
    for (const name of ['Ada', 'Ben', 'Cleo']) await addInvitable(name);
    const selection = { matching: { filters: { invitation: 'none' }, count: 3 } };
    expect((await post('invitation-runs/preview', selection)).body).toMatchObject({ ready: 3 });
    const run_id = randomUUID();
    await post('invitation-runs', { run_id, ...selection, count: 3 });
    await portal.runJobs();
    expect(await find('none')).toEqual([]);
    expect(await find('sent')).toEqual(['Ada', 'Ben', 'Cleo', 'Invited']);
    expect((await post('invitation-runs', { run_id, ...selection, count: 3 })).body).toEqual({ run_id, total: 3 });
    await portal.runJobs();
    expect(portal.sentEmails.filter(({ to }) => /^(ada|ben|cleo)@list\.example$/.test(to))).toHaveLength(3);
  });

  it('can be saved as a view', async () => {
    const savedViewResponse = await post('saved-views', { name: 'To invite', query: 'status=in_hand&invitation=none' });
    expect(savedViewResponse.status, JSON.stringify(savedViewResponse.body)).toBe(200);
    expect((await get('saved-views', {})).body['views']).toMatchObject([{ name: 'To invite', query: 'status=in_hand&invitation=none' }]);
  });
});
