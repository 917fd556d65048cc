import type { SuspicionOutput } from '@portal/contract/screening.ts';
import { auditEntries, identityChecks, memberships, screenings, users } from '@portal/db/schema/schema.ts';
import { addMilliseconds } from '@portal/domain/clock.ts';
import { eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jobHandlers } from '../../job-handlers.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import {
  acceptAdvance,
  confirmCollection,
  createPaidTrader,
  createTraderWithFiledReturn,
  findAdvance,
  waitForState,
} from '../../testing/take-advance.ts';
import { createOperator, type Browser, type Trader } from '../../testing/test-trader.ts';

let portal: TestPortal;
let officer: Browser;
beforeAll(async () => {
  portal = await openTestPortal();
  officer = await createOperator(portal, 'mlro@operators.example');
});
afterAll(() => portal.close());

const listSuspicions = async (trader: Trader) => {
  const { body } = await officer.get('/operator/screening');
  return (body['suspicions'] as SuspicionOutput[]).filter(({ company_id }) => company_id === trader.companyId);
};
const decide = (trader: Trader, suspicion: SuspicionOutput | undefined, decision: 'cleared' | 'confirmed') =>
  officer.post('/operator/screening/decide', {
    company_id: trader.companyId,
    suspicion_id: suspicion?.suspicion_id ?? '',
    decision,
    reason: 'Another date of birth',
  });
const countScreenings = async (trader: Trader) =>
  (await portal.deps.database.db.select().from(screenings).where(eq(screenings.companyId, trader.companyId))).length;
/** Runs `work` with the trader's director on the list. */
async function withListedCompany({ fullName }: Pick<Trader, 'fullName'>, work: () => Promise<void>): Promise<void> {
  portal.identity.screening.addEntity({ schema: 'Person', name: fullName, topic: 'sanction' });
  await work().finally(() => portal.identity.screening.removeEntity(fullName));
}
const NEUTRAL_MESSAGE = 'We’re completing our checks before we pay. You don’t need to do anything.';

describe('screening before the first payout', () => {
  it('covers the company, its officers, those who control it and the verified owner, and lets a clean one pass', async () => {
    const trader = await createPaidTrader(portal, 'clean@trader.example', 4_201);
    const [row] = await portal.deps.database.db.select().from(screenings).where(eq(screenings.companyId, trader.companyId));
    expect(row?.subjects).toEqual([
      { kind: 'company', name: 'Tess Exports Ltd', hits: 0 },
      { kind: 'person', name: trader.fullName, hits: 0 },
    ]);
  });

  it('holds the payout on a suspicion, and looks to the trader and other operators as if it were still running', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'listed@trader.example', 4_202);
    portal.faults.set({ operation: 'opensanctions.match', kind: 'server_error', times: 1_000 });
    await acceptAdvance(portal, trader);
    await confirmCollection(portal, trader);
    const unscreenedAdvance = await findAdvance(trader);
    expect(unscreenedAdvance).toMatchObject({ state: 'approved', waiting_for: NEUTRAL_MESSAGE });
    portal.faults.clear();
    await withListedCompany(trader, async () => {
      await jobHandlers(portal.deps)['screening.run']({ company_id: trader.companyId }, { id: 'test' } as never);
      await portal.runJobs();
    });
    const suspectedAdvance = await findAdvance(trader);
    expect(suspectedAdvance).toMatchObject({ state: 'approved', waiting_for: NEUTRAL_MESSAGE });
    expect(JSON.stringify(suspectedAdvance)).toBe(JSON.stringify(unscreenedAdvance));
    const operatorResponse = await officer.get('/operator/advance', {
      company_id: trader.companyId,
      advance_id: suspectedAdvance.advance_id,
    });
    expect(operatorResponse.body['payout_hold']).toBe(NEUTRAL_MESSAGE);
    expect(JSON.stringify(operatorResponse.body)).not.toMatch(/sanction|suspicion|screen/i);
    const auditTrail = await portal.deps.database.db.select().from(auditEntries).where(eq(auditEntries.companyId, trader.companyId));
    expect(JSON.stringify(auditTrail)).not.toMatch(/sanction|suspicion/i);
    expect(await listSuspicions(trader)).toMatchObject([{ subject_name: trader.fullName, topics: ['sanction'], decision: null }]);
  });

  it('pays once the officer has cleared the match, whose decision and reason stay on record', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'namesake@trader.example', 4_203);
    await withListedCompany(trader, async () => void (await acceptAdvance(portal, trader)));
    await confirmCollection(portal, trader);
    expect(await findAdvance(trader)).toMatchObject({ state: 'approved', waiting_for: NEUTRAL_MESSAGE });
    const [foundSuspicion] = await listSuspicions(trader);
    expect((await decide(trader, foundSuspicion, 'cleared')).body).toMatchObject({ decision: 'cleared', reason: 'Another date of birth' });
    expect((await decide(trader, foundSuspicion, 'confirmed')).body['code']).toBe('screening.decided');
    await portal.runJobs();
    await waitForState(trader, 'awaiting_hmrc');
  });

  it('asks again when the list says more about a person whose match was cleared', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'later-sanctioned@trader.example', 4_208);
    const { fullName, companyId } = trader;
    const screenAs = async (topic: 'role.pep' | 'sanction') => {
      portal.identity.screening.addEntity({ schema: 'Person', name: fullName, topic });
      await jobHandlers(portal.deps)['screening.run']({ company_id: companyId }, { id: 'test' } as never);
      portal.identity.screening.removeEntity(fullName);
    };
    await screenAs('role.pep');
    await decide(trader, (await listSuspicions(trader))[0], 'cleared');
    await screenAs('role.pep');
    expect(await listSuspicions(trader)).toHaveLength(1);
    for (const _run of [1, 2]) await screenAs('sanction');
    expect(await listSuspicions(trader)).toMatchObject([
      { topics: ['sanction'], decision: null },
      { topics: ['role.pep'], decision: 'cleared' },
    ]);
    await acceptAdvance(portal, trader);
    await confirmCollection(portal, trader);
    await portal.runJobs();
    expect(await findAdvance(trader)).toMatchObject({ state: 'approved', waiting_for: NEUTRAL_MESSAGE });
  });

  it('never pays a confirmed match', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'confirmed@trader.example', 4_204);
    await withListedCompany(trader, async () => void (await acceptAdvance(portal, trader)));
    await confirmCollection(portal, trader);
    await decide(trader, (await listSuspicions(trader))[0], 'confirmed');
    await portal.runJobs();
    expect(await findAdvance(trader)).toMatchObject({ state: 'approved', waiting_for: NEUTRAL_MESSAGE });
  });

  it('is repeated for an owner who was verified since', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'joined@trader.example', 4_207);
    await acceptAdvance(portal, trader);
    expect(await countScreenings(trader)).toBe(1);
    const { db } = portal.deps.database;
    const owner = { id: crypto.randomUUID(), fullName: 'Lister Sanctioned', email: 'lister@trader.example' };
    const createdAt = portal.deps.clock.now();
    await db.insert(users).values({ ...owner, createdAt });
    await db.insert(memberships).values({ companyId: trader.companyId, userId: owner.id, role: 'trader_owner', createdAt });
    const check = { userId: owner.id, fullName: owner.fullName, email: owner.email, status: 'passed' as const, reasons: [], createdAt };
    await db.insert(identityChecks).values({ id: crypto.randomUUID(), ...check });
    await withListedCompany(owner, () => confirmCollection(portal, trader));
    expect(await findAdvance(trader)).toMatchObject({ state: 'approved', waiting_for: NEUTRAL_MESSAGE });
    expect(await listSuspicions(trader)).toMatchObject([{ subject_name: owner.fullName, decision: null }]);
  });

  it('is invisible to traders', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'curious@trader.example', 4_205);
    expect((await trader.browser.get('/operator/screening')).status).toBe(404);
  });
});

describe('screening while money is out', () => {
  it('runs again each day, and its evidence is kept for five years after the relationship ends', async () => {
    const trader = await createPaidTrader(portal, 'daily@trader.example', 4_206);
    const sweep = async () => {
      await jobHandlers(portal.deps)['screening.sweep']({}, { id: 'test' } as never);
      await portal.runJobs();
    };
    expect(await countScreenings(trader)).toBe(1);
    await sweep();
    expect(await countScreenings(trader)).toBe(1);
    portal.moveClock('2026-11-11T10:00:00.000Z');
    await sweep();
    expect(await countScreenings(trader)).toBe(2);
    const { db } = portal.deps.database;
    const endedCompanyId = crypto.randomUUID();
    const now = portal.deps.clock.now();
    for (const years of [6, 4]) {
      const screenedAt = addMilliseconds(now, -years * 365 * 86_400_000);
      await db.insert(screenings).values({ companyId: endedCompanyId, id: crypto.randomUUID(), screenedAt, subjects: [] });
    }
    await jobHandlers(portal.deps)['rows.purge']({}, { id: 'test' } as never);
    expect(await db.select().from(screenings).where(eq(screenings.companyId, endedCompanyId))).toHaveLength(1);
  });
});
