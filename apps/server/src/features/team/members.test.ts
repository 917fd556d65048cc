/** Tests members of a practice: roles, permissions, ownership, leaving and returning. */
import { clientMembers, memberships, practices, users } from '@portal/db/schema/schema.ts';
import { and, eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addClient, addPractice, assignClient, type TestPractice } from '../../testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';

let portal: TestPortal;
let practice: TestPractice;

beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());
beforeEach(async () => {
  practice = await addPractice(portal);
});

const post = (path: string, body: object, browser = practice.admin) =>
  browser.post(`/open-tax/${path}`, { company_id: practice.companyId, ...body });
const get = (path: string, query: Record<string, string> = {}, browser = practice.admin) =>
  browser.get(`/open-tax/${path}`, { company_id: practice.companyId, ...query });

type Member = { user_id: string; full_name: string; status: string; is_owner: boolean; clients: number };
const listMembers = async (): Promise<Member[]> => (await get('team-members')).body['team_members'] as Member[];

describe('permissions', () => {
  it('of a member apply from the next request on', async () => {
    const { memberId, member } = practice;
    expect((await get('export-table', {}, member)).status).toBe(200);
    await post('team-members/change', { user_id: memberId, role: 'team_member', permissions: [] });
    const refusedResponse = await get('export-table', {}, member);
    expect([refusedResponse.status, refusedResponse.body['code']]).toEqual([403, 'team.permission_missing']);
    expect(String(refusedResponse.body['message'])).toContain('Export clients');
    const profileResponse = await get('accountant-profile', {}, member);
    expect(profileResponse.body['permissions']).toEqual([]);
  });

  it('of a custom role follow the role for everyone who has it', async () => {
    const { memberId, member } = practice;
    const savedResponse = await post('team-roles', { name: 'Trainee', permissions: [] });
    const { team_role_id } = savedResponse.body;
    await post('team-members/change', { user_id: memberId, role: 'team_member', team_role_id, permissions: ['export'] });
    expect((await get('export-table', {}, member)).status).toBe(403);
    await post('team-roles', { team_role_id, name: 'Trainee', permissions: ['export'] });
    expect((await get('export-table', {}, member)).status).toBe(200);
    expect((await get('team-roles')).body['roles']).toMatchObject([{ name: 'Trainee', members: 1 }]);
    expect((await post('team-roles/remove', { team_role_id })).body['code']).toBe('team.role_in_use');
    await post('team-members/change', { user_id: memberId, role: 'team_member', permissions: [] });
    expect((await post('team-roles/remove', { team_role_id })).status).toBe(200);
    expect((await get('team-roles')).body['roles']).toEqual([]);
  });

  it('of a custom role are the practice’s own: another practice’s role can’t be given, seen or changed', async () => {
    const otherPractice = await addPractice(portal);
    const savedResponse = await post('team-roles', { name: 'Ours', permissions: ['export'] });
    const { team_role_id } = savedResponse.body;
    const input = { company_id: otherPractice.companyId, team_role_id };
    expect((await otherPractice.admin.post('/open-tax/team-roles/remove', input)).status).toBe(404);
    expect((await otherPractice.admin.post('/open-tax/team-roles', { ...input, name: 'Theirs', permissions: [] })).status).toBe(404);
    const givenResponse = await otherPractice.admin.post('/open-tax/team-members/change', {
      ...input,
      user_id: otherPractice.memberId,
      role: 'team_member',
    });
    expect([givenResponse.status, givenResponse.body['message']]).toEqual([400, { team_role_id: expect.any(String) }]);
    expect((await post('team-roles', { name: 'ours', permissions: [] })).body['message']).toEqual({ name: expect.any(String) });
  });
});

describe('the owner', () => {
  it('stays an admin until another admin owns the practice', async () => {
    const { adminId, memberId, member } = practice;
    expect((await post('team-members/change', { user_id: adminId, role: 'team_member' })).body['code']).toBe('team.owner_stays_admin');
    expect((await post('team-members/deactivate', { user_id: adminId, successors: {} })).body['code']).toBe('team.owner_stays');
    expect((await post('team-members/transfer-ownership', { user_id: memberId })).body['code']).toBe('team.owner_must_be_admin');
    await post('team-members/change', { user_id: memberId, role: 'admin' });
    expect((await post('team-members/transfer-ownership', { user_id: memberId }, member)).body['code']).toBe('team.only_owner');
    expect((await post('team-members/transfer-ownership', { user_id: memberId })).status).toBe(200);
    expect((await listMembers()).filter(({ is_owner: isOwner }) => isOwner)).toMatchObject([{ user_id: memberId }]);
    expect((await post('team-members/change', { user_id: adminId, role: 'team_member' }, member)).status).toBe(200);
    expect((await get('team-members/duties', { user_id: memberId })).status).toBe(404);
  });

  it('is kept when two admins deactivate each other at the same moment', async () => {
    const { adminId, memberId, member, companyId } = practice;
    await post('team-members/change', { user_id: memberId, role: 'admin' });
    const responses = await Promise.all([
      post('team-members/deactivate', { user_id: memberId, successors: {} }),
      post('team-members/deactivate', { user_id: adminId, successors: {} }, member),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([200, expect.any(Number)]);
    expect(responses[1]?.status).not.toBe(200);
    const remainingRows = await portal.deps.database.db
      .select()
      .from(memberships)
      .where(and(eq(memberships.companyId, companyId), eq(memberships.role, 'practice_admin')));
    expect(remainingRows.map(({ userId }) => userId)).toContain(adminId);
  });

  it('is the first admin of a practice created before owners existed, and the creator of a new one', async () => {
    const { adminId, admin } = practice;
    expect((await listMembers()).find(({ is_owner: isOwner }) => isOwner)?.user_id).toBe(adminId);
    const createResponse = await admin.post('/open-tax/practice', { name: 'Second Practice' });
    const [row] = await portal.deps.database.db
      .select({ ownerId: practices.ownerId })
      .from(practices)
      .where(eq(practices.companyId, String(createResponse.body['company_id'])));
    expect(row?.ownerId).toBe(adminId);
  });
});

describe('an admin who is demoted or deactivated', () => {
  const getMemberRole = async () => {
    const isMember = and(eq(memberships.companyId, practice.companyId), eq(memberships.userId, practice.memberId));
    return (await portal.deps.database.db.select().from(memberships).where(isMember))[0]?.role;
  };

  it('can’t regain access through pending requests', async () => {
    const { memberId, member } = practice;
    const repeatPost = (path: string, body: object) => Array.from({ length: 4 }, () => post(path, { user_id: memberId, ...body }, member));
    await post('team-members/change', { user_id: memberId, role: 'admin' });
    const demote = { user_id: memberId, role: 'team_member' };
    await Promise.all([post('team-members/change', demote), ...repeatPost('team-members/change', { role: 'admin' })]);
    await post('team-members/change', demote);
    expect(await getMemberRole()).toBe('team_member');
    await post('team-members/change', { user_id: memberId, role: 'admin' });
    await Promise.all([
      post('team-members/deactivate', { user_id: memberId, successors: {} }),
      ...repeatPost('team-members/reactivate', {}),
    ]);
    expect(await getMemberRole()).toBeUndefined();
  });

  it('leaves no open invitation behind', async () => {
    const { memberId, member } = practice;
    await post('team-members/change', { user_id: memberId, role: 'admin' });
    await post('team-members/invite', { emails: [`accomplice-of-${memberId}@list.example`], role: 'admin' }, member);
    await post('team-members/change', { user_id: memberId, role: 'team_member' });
    expect((await listMembers()).filter(({ status }) => status === 'invited')).toEqual([]);
  });
});

describe('deactivating a member', () => {
  it('leaves nothing assigned to a leaver that someone assigns at the same moment', async () => {
    const { companyId, memberId } = practice;
    const clientId = await addClient(portal, companyId);
    const assign = { client_ids: [clientId], user_id: memberId, duty: 'vat', action: 'add' };
    await Promise.all([
      post('client-companies/assign', assign),
      post('team-members/deactivate', { user_id: memberId, successors: { vat: null, manager: null } }),
    ]);
    const isMember = eq(memberships.userId, memberId);
    const [currentMembership] = await portal.deps.database.db.select().from(memberships).where(isMember);
    const assignedRows = await portal.deps.database.db.select().from(clientMembers).where(eq(clientMembers.userId, memberId));
    expect(currentMembership === undefined && assignedRows.length > 0).toBe(false);
  });

  it('hands every duty over, ends all access and reports what the person could see and did', async () => {
    const { companyId, adminId, memberId, member } = practice;
    const [first, second] = [
      await addClient(portal, companyId, { name: 'First Ltd' }),
      await addClient(portal, companyId, { name: 'Second Ltd' }),
    ];
    for (const client_ids of [[first], [first, second]]) {
      const duty = client_ids.length === 1 ? 'vat' : 'manager';
      await post('client-companies/assign', { client_ids, user_id: memberId, duty, action: 'add' });
    }
    await post('client-companies/assign', { client_ids: [second], user_id: memberId, duty: 'manager', action: 'remove' });
    await member.post('/client/notes', { company_id: companyId, client_id: first, text: 'Called them' });
    const feedResponse = await member.post('/open-tax/calendar/feed', { company_id: companyId });
    const feedPath = new URL(String(feedResponse.body['url'])).pathname;
    expect((await portal.app.inject({ url: feedPath })).statusCode).toBe(200);

    const dutiesResponse = await get('team-members/duties', { user_id: memberId });
    expect(dutiesResponse.body).toMatchObject({ clients: 1, sessions: 1 });
    const openResponse = await post('team-members/deactivate', { user_id: memberId, successors: { manager: adminId } });
    expect([openResponse.status, openResponse.body['message']]).toEqual([400, { successors: expect.stringContaining('vat') }]);
    expect((await get('client-companies', {}, member)).status).toBe(200);
    const finalResponse = await post('team-members/deactivate', { user_id: memberId, successors: { manager: adminId, vat: null } });
    expect(finalResponse.body).toEqual({ handed_over: 1, left_open: 1 });

    expect((await get('client-companies', {}, member)).status).toBe(401);
    expect((await portal.app.inject({ url: feedPath })).statusCode).toBe(404);
    const clientResponse = await practice.admin.get('/open-tax/selected-client-team-members', { company_id: companyId, client_id: first });
    expect(clientResponse.body['team_members']).toMatchObject([{ user_id: adminId, duties: ['manager'] }]);
    const row = (await get('client-companies')).body['clients'] as { client_id: string; members: unknown[] }[];
    expect(row.find(({ client_id: id }) => id === first)?.members).toMatchObject([{ user_id: adminId, duty: 'manager' }]);

    const report = (await get('team-members/access-report', { user_id: memberId })).body;
    expect(report).toMatchObject({ status: 'deactivated', role: 'team_member', saw_all_clients: false, clients_total: 2 });
    expect(report['clients']).toEqual(
      expect.arrayContaining([
        { client_id: first, name: 'First Ltd', from: expect.any(String), until: expect.any(String) },
        { client_id: second, name: 'Second Ltd', from: expect.any(String), until: expect.any(String) },
      ]),
    );
    expect(report['actions']).toEqual(expect.arrayContaining([expect.objectContaining({ action: 'client.note_added', count: 1 })]));
    const note = (report['entries'] as { action: string }[]).find(({ action }) => action === 'client.note_added');
    expect(note).toMatchObject({ client: expect.stringMatching(/^(First|Second) Ltd$/) });
    await portal.runJobs();
    expect(portal.sentEmails.findLast(({ subject }) => subject.startsWith('Your access to'))?.subject).toBe(
      'Your access to Oakline Accounting has ended',
    );
  });

  it('reports a former admin as someone who saw every client', async () => {
    const { memberId } = practice;
    const listSeenClients = async () => (await get('team-members/access-report', { user_id: memberId })).body['saw_all_clients'];
    expect(await listSeenClients()).toBe(false);
    await post('team-members/change', { user_id: memberId, role: 'admin' });
    await post('team-members/change', { user_id: memberId, role: 'team_member' });
    await post('team-members/deactivate', { user_id: memberId, successors: {} });
    expect(await listSeenClients()).toBe(true);
  });

  it('can be undone without giving the clients back, and an invitation says that the user is deactivated', async () => {
    const { companyId, adminId, memberId } = practice;
    const clientId = await addClient(portal, companyId);
    await assignClient(portal, companyId, clientId, memberId);
    await post('team-members/change', { user_id: memberId, role: 'team_member', permissions: ['manage_connections'], groups: ['York'] });
    await post('team-members/deactivate', { user_id: memberId, successors: { manager: adminId } });
    const [user] = await portal.deps.database.db.select().from(users).where(eq(users.id, memberId));
    const email = user?.email ?? '';
    expect((await post('team-members/invite', { emails: [email], role: 'admin' })).body['results']).toEqual([
      { email, outcome: 'deactivated' },
    ]);
    expect((await listMembers()).find(({ user_id: id }) => id === memberId)?.status).toBe('deactivated');
    await post('team-members/reactivate', { user_id: memberId });
    expect((await listMembers()).find(({ user_id: id }) => id === memberId)).toMatchObject({
      status: 'active',
      role: 'team_member',
      permissions: ['manage_connections'],
      groups: ['York'],
      clients: 0,
    });
    expect((await post('team-members/reactivate', { user_id: memberId })).status).toBe(404);
  });

  it('by closing one’s own account is final: the report stays, and only a new account can be invited', async () => {
    const { memberId, member } = practice;
    const [user] = await portal.deps.database.db.select().from(users).where(eq(users.id, memberId));
    const email = user?.email ?? '';
    const clientId = await addClient(portal, practice.companyId);
    await post('client-companies/assign', { client_ids: [clientId], user_id: memberId, duty: 'vat', action: 'add' });
    expect((await member.post('/v2/account/close', { confirm_with: email })).status).toBe(200);
    expect((await listMembers()).find(({ user_id: id }) => id === memberId)).toMatchObject({ status: 'closed', email });
    expect((await get('team-members/access-report', { user_id: memberId })).body).toMatchObject({
      email,
      status: 'deactivated',
      clients: [{ client_id: clientId, until: expect.any(String) }],
    });
    expect((await post('team-members/reactivate', { user_id: memberId })).status).toBe(404);
    const invitedResponse = await post('team-members/invite', { emails: [email], role: 'team_member' });
    expect(invitedResponse.body['results']).toEqual([{ email, outcome: 'invited' }]);
  });

  it('ends invitations that the person sent, and hands clients to members only', async () => {
    const { memberId, member, companyId } = practice;
    const otherPractice = await addPractice(portal);
    await post('team-members/change', { user_id: memberId, role: 'admin' });
    await post('team-members/invite', { emails: [`friend-of-${memberId}@list.example`], role: 'admin' }, member);
    await assignClient(portal, companyId, await addClient(portal, companyId), memberId);
    const foreignResponse = await post('team-members/deactivate', { user_id: memberId, successors: { manager: otherPractice.adminId } });
    expect([foreignResponse.status, foreignResponse.body['message']]).toEqual([400, { successors: expect.any(String) }]);
    const selfResponse = await post('team-members/deactivate', { user_id: memberId, successors: { manager: memberId } });
    expect(selfResponse.status).toBe(400);
    await post('team-members/deactivate', { user_id: memberId, successors: { manager: null } });
    expect((await listMembers()).filter(({ status }) => status === 'invited')).toEqual([]);
  });
});

describe('the specification’s three calls', () => {
  it('show a member only what the member may see', async () => {
    const { companyId, adminId, memberId, member } = practice;
    const [sharedClient, hiddenClient] = [
      await addClient(portal, companyId, { name: 'Alpha Ltd' }),
      await addClient(portal, companyId, { name: 'Beta Ltd' }),
    ];
    for (const clientId of [sharedClient, hiddenClient]) await assignClient(portal, companyId, clientId, adminId);
    await assignClient(portal, companyId, sharedClient, memberId);
    const listSeenBy = async (browser: typeof member) => {
      const { body } = await get('team-member-clients', { user_id: adminId }, browser);
      const team = (await get('team-members', {}, browser)).body['team_members'] as Member[];
      const clients = (body['clients'] as { name: string }[]).map(({ name }) => name);
      return { clients, count: body['count'], counted: team.find(({ user_id: id }) => id === adminId)?.clients };
    };
    expect(await listSeenBy(practice.admin)).toEqual({ clients: ['Alpha Ltd', 'Beta Ltd'], count: 2, counted: 2 });
    expect(await listSeenBy(member)).toEqual({ clients: ['Alpha Ltd'], count: 1, counted: 1 });
    expect((await member.get('/open-tax/selected-client-team-members', { company_id: companyId, client_id: hiddenClient })).status).toBe(
      404,
    );
    const pageResponse = await get('team-member-clients', { user_id: adminId, limit: '1' });
    const nextResponse = await get('team-member-clients', {
      user_id: adminId,
      limit: '1',
      cursor: String(pageResponse.body['next_cursor']),
    });
    expect((nextResponse.body['clients'] as { name: string }[]).map(({ name }) => name)).toEqual(['Beta Ltd']);
    expect((await get('team-member-clients', { cursor: 'x' })).status).toBe(400);
  });

  it('hide invitations, leavers and last visits from team members', async () => {
    const { member, memberId } = practice;
    await post('team-members/invite', { emails: [`hidden-${memberId}@list.example`], role: 'team_member' });
    const listedMembers = (await get('team-members', {}, member)).body['team_members'] as { status: string; last_seen_at: string | null }[];
    expect(listedMembers.map(({ status }) => status)).toEqual(['active', 'active']);
    expect(listedMembers.every(({ last_seen_at: at }) => at === null)).toBe(true);
    expect((await listMembers()).filter(({ status }) => status === 'invited')).toHaveLength(1);
    await post('team-members/end-sessions', { user_id: memberId });
    expect((await get('team-members', {}, member)).status).toBe(401);
  });
});
