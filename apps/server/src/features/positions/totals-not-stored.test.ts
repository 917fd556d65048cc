/** Changes whose totals the database can't store afterwards: they have been made, and the totals follow. */
import { clientMembers, practiceTotals, staleTotals } from '@portal/db/schema/schema.ts';
import { and, eq, sql } from '@portal/db/sql.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { addClient, addPractice, type TestPractice } from '../../testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { sweepPositions } from './positions-jobs.ts';

let portal: TestPortal;
let practice: TestPractice;
beforeAll(async () => {
  portal = await openTestPortal();
  await getDb().execute(
    sql`create function reject_totals() returns trigger language plpgsql as $$ begin raise exception 'no space left'; end $$`,
  );
});
afterAll(() => portal.close());
beforeEach(async () => {
  practice = await addPractice(portal);
});
afterEach(async () => {
  await storeTotalsAgain();
  vi.restoreAllMocks();
});

const getDb = () => portal.deps.database.db;
const post = (path: string, body: object) => practice.admin.post(`/open-tax/${path}`, { company_id: practice.companyId, ...body });
const assign = (ids: readonly string[], userId: string) =>
  post('client-companies/assign', { client_ids: ids, user_id: userId, duty: 'vat', action: 'add' });
const rejectTotals = () =>
  getDb().execute(
    sql`create trigger reject_totals before insert or update on practice_totals for each row execute function reject_totals()`,
  );
const storeTotalsAgain = () => getDb().execute(sql`drop trigger if exists reject_totals on practice_totals`);

const addClients = async () => [await addClient(portal, practice.companyId), await addClient(portal, practice.companyId)];
const countMarks = () => getDb().$count(staleTotals, eq(staleTotals.companyId, practice.companyId));
const countAssignedClients = (userId: string) =>
  getDb().$count(clientMembers, and(eq(clientMembers.companyId, practice.companyId), eq(clientMembers.userId, userId)));

/** The number of clients in the stored totals of a person, which no request counts live. */
async function findStoredClients(viewerId: string): Promise<number | undefined> {
  const { companyId } = practice;
  const [row] = await getDb()
    .select({ overall: practiceTotals.overall })
    .from(practiceTotals)
    .where(and(eq(practiceTotals.companyId, companyId), eq(practiceTotals.viewerId, viewerId)));
  return row?.overall.clients;
}

function watchLog() {
  const log = vi.spyOn(portal.deps.logger, 'error');
  return () => log.mock.calls.filter(([, message]) => String(message).startsWith('totals: '));
}

/** The queued count fails too, until it is given up. The sweep finds the mark and queues another. */
async function expectTotalsToFollow(expected: Readonly<Record<string, number | undefined>>): Promise<void> {
  await portal.runJobs();
  expect(await countMarks()).toBeGreaterThan(0);
  await storeTotalsAgain();
  await sweepPositions(portal.deps);
  await portal.runJobs();
  expect(await countMarks()).toBe(0);
  for (const [userId, clients] of Object.entries(expected)) expect(await findStoredClients(userId)).toBe(clients);
}

describe('when totals can’t be stored', () => {
  it('an assignment of several clients still returns its result, and its totals follow', async () => {
    const ids = await addClients();
    const listErrors = watchLog();
    await rejectTotals();
    const { status, body } = await assign(ids, practice.memberId);
    expect(status).toBe(200);
    expect(body['counts']).toEqual({ changed: 2, unchanged: 0, not_found: 0 });
    expect(await countAssignedClients(practice.memberId)).toBe(2);
    expect(listErrors()).toEqual([[{ err: expect.any(Error), companyId: practice.companyId }, expect.any(String)]]);
    expect(await findStoredClients(practice.memberId)).toBeUndefined();
    const { body: dashboardBody } = await practice.member.get('/open-tax/dashboard', { company_id: practice.companyId });
    expect(dashboardBody['totals']).toMatchObject({ clients: 2 });
    await expectTotalsToFollow({ [practice.memberId]: 2 });
  });

  it('a hand-over and its undo still succeed, and the totals of both members follow', async () => {
    const { memberId, adminId } = practice;
    await assign(await addClients(), memberId);
    await portal.runJobs();
    expect(await findStoredClients(memberId)).toBe(2);
    const listErrors = watchLog();
    await rejectTotals();
    const { status, body } = await post('client-companies/hand-over', { from_user_id: memberId, user_id: adminId });
    expect(status).toBe(200);
    expect(body['changed']).toBe(2);
    expect(await countAssignedClients(adminId)).toBe(2);
    expect(listErrors()).toHaveLength(1);
    const [change] = body['changes'] as { change_id: string }[];
    await expectTotalsToFollow({ [memberId]: undefined, [adminId]: 2 });

    await rejectTotals();
    await post('client-companies/change/undo', { change_id: change?.change_id });
    await portal.runJobs();
    expect(listErrors()).toHaveLength(2);
    expect(
      (
        await practice.admin.get('/open-tax/client-companies/change', {
          company_id: practice.companyId,
          change_id: change?.change_id ?? '',
        })
      ).body,
    ).toMatchObject({ state: 'undone' });
    await expectTotalsToFollow({ [memberId]: 2, [adminId]: undefined });
  });
});
