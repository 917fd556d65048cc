/** Tests what the retention job deletes for closed companies and users, and what the database won't allow to be deleted early. */
import {
  auditEntries,
  clients,
  closedAccounts,
  companies,
  filings,
  formerMemberships,
  identityChecks,
  ledgerLines,
  users,
} from '@portal/db/schema/schema.ts';
import { addMilliseconds, systemClock, type Instant } from '@portal/domain/clock.ts';
import { and, eq, isNotNull, sql } from '@portal/db/sql.ts';
import { getSqlState } from '@portal/db/sql-errors.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addClient, addPractice } from '../../testing/add-practice.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { createShortRepaidTrader, runTick } from '../../testing/short-refund.ts';
import { createTraderWithFiledReturn } from '../../testing/take-advance.ts';
import { signUp, type Trader } from '../../testing/test-trader.ts';
import { verifyAudit } from '../audit/verify-audit.ts';

const YEAR_MS = 365.25 * 86_400_000;
const INTEGRITY_VIOLATION_CODE = '23000';
let portal: TestPortal;
beforeAll(async () => {
  // The database's own clock must agree before anything is deleted, so both have today's date.
  portal = await openTestPortal({ at: systemClock.now() });
});
afterAll(() => portal.close());

const getDb = () => portal.deps.database.db;
const getYearsAgo = (years: number): Instant => addMilliseconds(portal.deps.wallClock.now(), -Math.round(years * YEAR_MS));
const runPurge = () => runTick(portal, 'rows.purge');
const getUser = async (email: string) => {
  const [user] = await getDb().select().from(users).where(eq(users.email, email));
  return user?.id ?? '';
};

async function close(trader: Trader, email: string): Promise<string> {
  const userId = await getUser(email);
  const { status } = await trader.browser.post('/v2/company/close', { company_id: trader.companyId, confirm_with: 'Tess Exports Ltd' });
  expect([status, (await trader.browser.post('/v2/account/close', { confirm_with: email })).status]).toEqual([200, 200]);
  await getDb()
    .update(identityChecks)
    .set({ createdAt: getYearsAgo(8), completedAt: getYearsAgo(8) })
    .where(eq(identityChecks.userId, userId));
  return userId;
}

/** Backdates both closures. */
async function moveClosing({ companyId }: Trader, userId: string, at: Instant): Promise<void> {
  await getDb().update(companies).set({ closedAt: at }).where(eq(companies.id, companyId));
  await getDb().update(closedAccounts).set({ closedAt: at }).where(eq(closedAccounts.userId, userId));
  await getDb().update(formerMemberships).set({ endedAt: at }).where(eq(formerMemberships.userId, userId));
}

/** Reads what remains of a trader in every table of the company. */
async function readRemainingRecords({ companyId }: Trader, userId: string) {
  const [company] = await getDb().select().from(companies).where(eq(companies.id, companyId));
  const [user] = await getDb().select().from(users).where(eq(users.id, userId));
  const values = await getDb()
    .select({ after: auditEntries.after })
    .from(auditEntries)
    .where(and(eq(auditEntries.companyId, companyId), isNotNull(auditEntries.salt)));
  return {
    company: company?.name,
    person: user?.fullName,
    email: (await getDb().select().from(closedAccounts).where(eq(closedAccounts.userId, userId)))[0]?.email,
    filings: (await getDb().select().from(filings).where(eq(filings.companyId, companyId))).length,
    checks: (await getDb().select().from(identityChecks).where(eq(identityChecks.userId, userId))).length,
    hasValues: values.length > 1,
  };
}

describe('the data of a closed company and its owner', () => {
  it('is kept for five years, except the identity check, and after six years only ledger and audit trail are left', async () => {
    const email = 'old@erase.example';
    const trader = await createTraderWithFiledReturn(portal, email, 900);
    const userId = await close(trader, email);
    await moveClosing(trader, userId, getYearsAgo(4.9));
    await runPurge();
    const completeRecord = { company: 'Tess Exports Ltd', person: trader.fullName, email, filings: 1, checks: 1, hasValues: true };
    expect(await readRemainingRecords(trader, userId)).toEqual(completeRecord);
    await moveClosing(trader, userId, getYearsAgo(5.9));
    await runPurge();
    expect(await readRemainingRecords(trader, userId)).toEqual({ ...completeRecord, checks: 0 });
    await moveClosing(trader, userId, getYearsAgo(6.1));
    await runPurge();
    expect(await readRemainingRecords(trader, userId)).toEqual({
      company: 'Closed company',
      person: 'Closed account',
      email: undefined,
      filings: 0,
      checks: 0,
      hasValues: false,
    });
    const { problems, erased } = await verifyAudit(getDb());
    expect([problems, erased > 5]).toEqual([[], true]);
  });

  it('is kept longer while money is still open, and the ledger stays', async () => {
    const email = 'money@erase.example';
    const trader = await createShortRepaidTrader(portal, email, 900, 500);
    const blockedResponse = await trader.browser.post('/v2/company/close', {
      company_id: trader.companyId,
      confirm_with: 'Tess Exports Ltd',
    });
    expect([blockedResponse.status, JSON.stringify(blockedResponse.body)]).toEqual([409, expect.stringMatching(/case .* is open/)]);
    // Makes the case look as if it started after the company was closed.
    await getDb()
      .update(companies)
      .set({ closedAt: getYearsAgo(7) })
      .where(eq(companies.id, trader.companyId));
    const countLines = async () => (await getDb().select().from(ledgerLines).where(eq(ledgerLines.companyId, trader.companyId))).length;
    const lines = await countLines();
    await runPurge();
    expect(await readRemainingRecords(trader, await getUser(email))).toMatchObject({ company: 'Tess Exports Ltd', filings: 1 });
    await getDb().execute(sql`update shortfalls set status = 'settled' where company_id = ${trader.companyId}`);
    await getDb().execute(sql`update advances set state = 'settled' where company_id = ${trader.companyId}`);
    await runPurge();
    expect(await readRemainingRecords(trader, await getUser(email))).toMatchObject({ company: 'Closed company', filings: 0 });
    expect([await countLines(), lines > 0]).toEqual([lines, true]);
  });
});

describe('the database', () => {
  it('refuses to erase a company or a user before their retention ends', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'early@erase.example', 700);
    const userId = await getUser('early@erase.example');
    const eraseCompany = () => getDb().execute(sql`select erase_company(${trader.companyId}::uuid, now())`);
    const erasePerson = () => getDb().execute(sql`select erase_person_audit(${userId}::uuid)`);
    const getState = (work: () => PromiseLike<unknown>) => Promise.resolve(work()).then(() => 'done', getSqlState);
    expect([await getState(eraseCompany), await getState(erasePerson)]).toEqual([INTEGRITY_VIOLATION_CODE, INTEGRITY_VIOLATION_CODE]);
    await getDb()
      .update(companies)
      .set({ closedAt: getYearsAgo(5.9) })
      .where(eq(companies.id, trader.companyId));
    expect(await getState(eraseCompany)).toBe(INTEGRITY_VIOLATION_CODE);
  });
});

describe('a practice', () => {
  it('loses clients that it marked as closed six years later, and keeps the others', async () => {
    const practice = await addPractice(portal);
    const [former, current, recent] = [
      await addClient(portal, practice.companyId),
      await addClient(portal, practice.companyId),
      await addClient(portal, practice.companyId),
    ];
    const set = (id: string, values: Partial<typeof clients.$inferInsert>) =>
      getDb()
        .update(clients)
        .set(values)
        .where(and(eq(clients.companyId, practice.companyId), eq(clients.id, id)));
    await set(former, { status: 'closed', updatedAt: getYearsAgo(6.1) });
    await set(current, { updatedAt: getYearsAgo(6.1) });
    await set(recent, { status: 'closed', updatedAt: getYearsAgo(5.8) });
    await runPurge();
    const remainingRows = await getDb().select({ id: clients.id }).from(clients).where(eq(clients.companyId, practice.companyId));
    expect(remainingRows.map(({ id }) => id).toSorted()).toEqual([current, recent].toSorted());
  });

  it('that was closed is deleted although its job was lost', async () => {
    const practice = await addPractice(portal);
    await addClient(portal, practice.companyId);
    await getDb()
      .update(companies)
      .set({ closedAt: getYearsAgo(0) })
      .where(eq(companies.id, practice.companyId));
    await runPurge();
    await portal.runJobs();
    expect(await getDb().select().from(clients).where(eq(clients.companyId, practice.companyId))).toEqual([]);
  });
});

describe('an identity check', () => {
  it('stays while its user has a company, however old it is', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'kept@erase.example', 500);
    const userId = await getUser('kept@erase.example');
    await getDb()
      .update(identityChecks)
      .set({ createdAt: getYearsAgo(9), completedAt: getYearsAgo(9) })
      .where(eq(identityChecks.userId, userId));
    await signUp(portal, 'someone@erase.example');
    await runPurge();
    expect((await readRemainingRecords(trader, userId)).checks).toBe(1);
  });
});
