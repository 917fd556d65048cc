/** Tests the list of a practice's invitations: pages, search, statuses with counts, and what a team member sees. */
import { randomUUID } from 'node:crypto';
import { clientInvitations, memberships } from '@portal/db/schema/schema.ts';
import { addMilliseconds, type Instant } from '@portal/domain/clock.ts';
import { and, eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addPractice, assignClient, type TestPractice } from '../../testing/add-practice.ts';
import { addClientWithEmail } from '../../testing/mailbox-steps.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';

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

type ListedInvitation = { invitation_id: string; name: string; email: string; state: string };

const read = (query: Record<string, string> = {}, browser = practice.admin) =>
  browser.get('/open-tax/client-invitations', { company_id: practice.companyId, ...query });

async function list(query: Record<string, string> = {}, browser = practice.admin): Promise<ListedInvitation[]> {
  const { status, body } = await read(query, browser);
  expect(status, JSON.stringify(body)).toBe(200);
  return body['rows'] as ListedInvitation[];
}

const addInvitedClient = (name: string) => addClientWithEmail(portal, practice.companyId, name, 'office@list.example');

async function addInvitation(clientId: string, email: string, changes: Partial<typeof clientInvitations.$inferInsert> = {}): Promise<void> {
  const row = { companyId: practice.companyId, clientId, id: randomUUID(), email, invitedBy: practice.adminId, invitedAt: now };
  const sentDates = { sentAt: now, expiresAt: addMilliseconds(now, 1_000_000_000) };
  await portal.deps.database.db.insert(clientInvitations).values({ ...row, ...sentDates, ...changes });
}

describe('the list of invitations', () => {
  it('shows each once over its pages, newest first, even those of the same moment and while others are sent', async () => {
    const clientId = await addInvitedClient('Harbour Ltd');
    for (let index = 0; index < 7; index += 1) {
      await addInvitation(clientId, `p${index}@list.example`, { invitedAt: addMilliseconds(now, index < 4 ? 0 : index) });
    }
    const seenIds: string[] = [];
    let cursor: string | null = null;
    do {
      const { body } = await read({ limit: '3', ...(cursor === null ? {} : { cursor }) });
      seenIds.push(...(body['rows'] as ListedInvitation[]).map(({ email }) => email));
      cursor = body['next_cursor'] as string | null;
      await addInvitation(clientId, `later-${randomUUID()}@list.example`, { invitedAt: addMilliseconds(now, 60_000) });
    } while (cursor !== null);
    expect(seenIds.slice(0, 3)).toEqual(['p6@list.example', 'p5@list.example', 'p4@list.example']);
    expect(seenIds.toSorted()).toEqual(Array.from({ length: 7 }, (_requestId, index) => `p${index}@list.example`));
    expect((await read({ cursor: 'x' })).body['message']).toEqual({ cursor: expect.any(String) });
    const forgedCursor = Buffer.from(JSON.stringify(['2026-02-30T00:00:00.000Z', randomUUID()])).toString('base64url');
    expect((await read({ cursor: forgedCursor })).status).toBe(400);
  });

  it('finds by the client’s name or reference and by part of the address, and counts what it finds by status', async () => {
    const [harbour, mill] = [await addInvitedClient('Harbour & Sons Ltd'), await addInvitedClient('Mill Lane Bakery')];
    await addInvitation(harbour, 'ann.o_hara@fish.example', { openedAt: now });
    await addInvitation(harbour, 'bob@fish.example', { bouncedAt: now });
    await addInvitation(mill, 'carl@bread.example');
    await addInvitation(mill, 'dora@bread.example', { expiresAt: addMilliseconds(now, -1) });
    const find = async (q: string) => (await list({ q })).map(({ email }) => email).toSorted();
    expect(await find('sons harbour')).toEqual(['ann.o_hara@fish.example', 'bob@fish.example']);
    expect(await find('CARL@bread')).toEqual(['carl@bread.example']);
    expect(await find('ann.o_h')).toEqual(['ann.o_hara@fish.example']);
    expect(await find('bread.example')).toEqual(['carl@bread.example', 'dora@bread.example']);
    // LIKE wildcards in the search text are matched literally.
    expect(await find('carl%bread')).toEqual([]);
    expect(await find('%')).toEqual([]);
    const { counts } = (await read({ q: 'mill', state: 'expired' })).body;
    expect(counts).toEqual({ draft: 0, sent: 1, opened: 0, accepted: 0, expired: 1, revoked: 0, bounced: 0 });
    expect(await list({ q: 'mill', state: 'expired' })).toMatchObject([{ email: 'dora@bread.example', state: 'expired' }]);
    expect((await read()).body['counts']).toMatchObject({ sent: 1, opened: 1, expired: 1, bounced: 1 });
  });

  it('applies the status to all its pages, and counts on the first one only', async () => {
    const clientId = await addInvitedClient('Harbour Ltd');
    for (let index = 0; index < 9; index += 1) {
      await addInvitation(clientId, `p${index}@list.example`, index % 3 === 0 ? { revokedAt: now } : {});
    }
    const first = (await read({ state: 'revoked', limit: '2' })).body;
    expect(first).toMatchObject({ counts: { revoked: 3, sent: 6 }, rows: [{ state: 'revoked' }, { state: 'revoked' }] });
    const second = (await read({ state: 'revoked', limit: '2', cursor: String(first['next_cursor']) })).body;
    expect(second).toMatchObject({ counts: null, rows: [{ state: 'revoked' }], next_cursor: null });
  });

  it('shows and counts only invitations of assigned clients for a team member', async () => {
    const [ownInvitation, foreignInvitation] = [await addInvitedClient('Mine Ltd'), await addInvitedClient('Strange Ltd')];
    await assignClient(portal, practice.companyId, ownInvitation, practice.memberId);
    for (const clientId of [ownInvitation, foreignInvitation]) await addInvitation(clientId, 'office@list.example');
    expect((await read({}, practice.member)).status).toBe(403);
    await portal.deps.database.db
      .update(memberships)
      .set({ permissions: ['invite_clients'] })
      .where(and(eq(memberships.companyId, practice.companyId), eq(memberships.userId, practice.memberId)));
    expect(await list({ q: 'office' }, practice.member)).toMatchObject([{ name: 'Mine Ltd' }]);
    expect((await read({}, practice.member)).body['counts']).toMatchObject({ sent: 1 });
  });
});
