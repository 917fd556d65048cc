/** Someone who sells several refunds at once, of one company or of several, stays below the limit of each. Together they need a person. */
import { identityChecks, memberships, users } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import { toInstant } from '@portal/domain/clock.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { acceptRefund, fileBacklog } from '../../testing/file-backlog.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import {
  acceptAdvance,
  confirmCollection,
  createPaidTrader,
  createTraderWithFiledReturn,
  findAdvance,
} from '../../testing/take-advance.ts';
import { signUp, type Trader } from '../../testing/test-trader.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());

it('refunds of a company that HMRC hasn’t repaid are paid by the rules up to £25,000 in total', async () => {
  const filedAt = toInstant(Date.parse('2027-11-03T09:00:00Z'));
  const { trader, returns } = await fileBacklog(portal, 'backlog@split.example', [7_000], filedAt);
  const states: string[] = [];
  for (const obligation of returns) {
    await acceptRefund(portal, trader, obligation);
    await confirmCollection(portal, trader);
    states.push((await findAdvance(trader)).state);
  }
  expect(states.map((state) => state === 'in_review')).toEqual([false, false, false, true, true]);
  const { rules } = await findAdvance(trader);
  expect(rules.filter(({ outcome }) => outcome !== 'pass')).toMatchObject([
    { rule: 'amount_reviewed', outcome: 'review', finding: expect.stringContaining('HMRC would owe us £35,000.00 for this company') },
  ]);
});

describe('refunds of several companies that HMRC hasn’t repaid', () => {
  const findTotalRule = async (trader: Trader) => (await findAdvance(trader)).rules.find(({ rule }) => rule === 'owners_total_reviewed');
  const findUserId = async (email: string): Promise<string> => {
    const [user] = await portal.deps.database.db.select({ id: users.id }).from(users).where(eq(users.email, email));
    return user?.id ?? '';
  };
  const addMember = ({ companyId }: Trader, userId: string) =>
    portal.deps.database.db
      .insert(memberships)
      .values({ companyId, userId, role: 'trader_owner', createdAt: portal.deps.clock.now() } as const);

  /** Two companies with paid refunds, and one with a refund that makes more than £25,000 together. */
  async function createCompanies(name: string): Promise<{ paid: readonly Trader[]; next: Trader }> {
    portal.moveClock('2027-11-10T09:00:00.000Z');
    const paid = [
      await createPaidTrader(portal, `${name}-1@split.example`, 9_000),
      await createPaidTrader(portal, `${name}-2@split.example`, 9_001),
    ];
    return { paid, next: await createTraderWithFiledReturn(portal, `${name}-3@split.example`, 9_002) };
  }

  it('need a person above £25,000 together, if the same verified person has them, whichever accounts they use', async () => {
    const { paid, next } = await createCompanies('owner');
    await addMember(paid[0] as Trader, await findUserId('owner-3@split.example'));
    await acceptAdvance(portal, next);
    expect(await findTotalRule(next)).toMatchObject({ outcome: 'pass' });
    // The second company is found only once its owner's other account has been verified: the refund is approved by then.
    const { db } = portal.deps.database;
    const [own] = await db
      .select()
      .from(identityChecks)
      .where(eq(identityChecks.userId, await findUserId('owner-3@split.example')));
    await db
      .update(identityChecks)
      .set({ fullName: next.fullName, bornIn: own?.bornIn ?? '' })
      .where(eq(identityChecks.userId, await findUserId('owner-2@split.example')));
    await confirmCollection(portal, next);
    expect((await findAdvance(next)).state).toBe('in_review');
    const rule = await findTotalRule(next);
    expect(rule).toMatchObject({
      outcome: 'review',
      finding: expect.stringContaining('more than £25,000.00 for companies with the same owner'),
    });
    expect(rule?.finding).not.toContain('27,');
  });

  it('don’t, if they only have the same bookkeeper', async () => {
    const { paid, next } = await createCompanies('books');
    await signUp(portal, 'bookkeeper@split.example');
    const bookkeeper = await findUserId('bookkeeper@split.example');
    for (const trader of [...paid, next]) await addMember(trader, bookkeeper);
    await acceptAdvance(portal, next);
    await confirmCollection(portal, next);
    expect((await findAdvance(next)).state).not.toBe('in_review');
    expect(await findTotalRule(next)).toMatchObject({ outcome: 'pass' });
  });
});
