/** Tests how a trader might try to keep our money: through changes after the payout, or by exploiting several refunds. */
import { advances, hmrcObservations, identityChecks, memberships, shortfalls, users } from '@portal/db/schema/schema.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { eq } from '@portal/db/sql.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { createShortRepaidTrader, findCase } from '../../testing/short-refund.ts';
import {
  acceptAdvance,
  confirmCollection,
  createIdempotencyHeaders,
  createPaidTrader,
  createTraderWithFiledReturn,
  findAdvance,
  postApproval,
  postRelease,
} from '../../testing/take-advance.ts';
import { createOperator, signUp, type Browser, type Trader } from '../../testing/test-trader.ts';
import { findPayoutHold } from '../advances/recheck-refund.ts';
import { refreshPayeeFacts } from '../advances/refresh-payee-facts.ts';
import { recheckApproved } from '../advances/review-rules.ts';
import { lockAdvance } from '../advances/transition-advance.ts';

let portal: TestPortal;
let olga: Browser;
beforeAll(async () => {
  portal = await openTestPortal();
  olga = await createOperator(portal, 'olga@operators.example');
});
afterAll(() => portal.close());

const refresh = (trader: Trader) => trader.browser.post('/instant-vat/hmrc/refresh', { company_id: trader.companyId });
const findRule = async (trader: Trader) => (await findAdvance(trader)).rules.find(({ rule }) => rule === 'no_unpaid_difference');

describe('after the payout', () => {
  it('a repayment account that was changed back is seen at the next read: a case opens, and we claim the refund', async () => {
    const trader = await createPaidTrader(portal, 'back@games.example', 4_401);
    portal.hmrc.setRepaymentAccount(trader.vrn, { sortCode: '200000', accountNumber: '55779911', accountName: 'Tess Exports Ltd' });
    await portal.hmrc.moveRepayment(trader.vrn, trader.obligation.periodKey, 'PAID');
    await refresh(trader);
    const openedCase = await findCase(trader);
    expect(openedCase).toMatchObject({ status: 'watching', cause: 'cleared', next_action: { by: 'us' } });
    const key = { company_id: trader.companyId, shortfall_id: openedCase.shortfall_id };
    await olga.post(
      '/operator/shortfall/claim',
      { ...key, amount_pence: 440_100, reason: 'HMRC paid the trader’s own account' },
      createIdempotencyHeaders(),
    );
    expect(await findCase(trader)).toMatchObject({ status: 'due', owed_pence: 440_100 });
  });

  it('a return corrected to nothing is seen at the next read, though HMRC lists no charge for it any more', async () => {
    const trader = await createPaidTrader(portal, 'nil@games.example', 4_402);
    portal.hmrc.amendReturn(trader.vrn, trader.obligation.periodKey, 0);
    await refresh(trader);
    const openedCase = await findCase(trader);
    expect(openedCase).toMatchObject({ status: 'watching', cause: 'cleared', next_action: { by: 'us' } });
    expect(openedCase.cause_text).toContain('no longer listed');
  });

  it('a return corrected to less is seen at the next read', async () => {
    const trader = await createPaidTrader(portal, 'less@games.example', 4_403);
    portal.hmrc.amendReturn(trader.vrn, trader.obligation.periodKey, 100_000);
    await refresh(trader);
    expect(await findCase(trader)).toMatchObject({ status: 'watching', cause: 'reduced', suspected_pence: 340_300 });
  });
});

describe('before the payout', () => {
  it('a refund that is no longer on HMRC’s list holds the payout', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'gone@games.example', 4_404);
    await acceptAdvance(portal, trader);
    portal.hmrc.amendReturn(trader.vrn, trader.obligation.periodKey, 0);
    await confirmCollection(portal, trader);
    expect(await findAdvance(trader)).toMatchObject({ state: 'approved', waiting_for: expect.stringContaining('nothing to repay') });
  });

  it('a refund that HMRC never listed holds the payout once HMRC should have repaid it, however long ago it was accepted', async () => {
    const trader = await createTraderWithFiledReturn(portal, 'unlisted@games.example', 4_409);
    await acceptAdvance(portal, trader);
    const { db } = portal.deps.database;
    await db.delete(hmrcObservations).where(eq(hmrcObservations.companyId, trader.companyId));
    const { advance_id } = await findAdvance(trader);
    const findHold = (today: string) =>
      db.transaction(async (tx) => {
        const advance = await lockAdvance(tx, trader.companyId, advance_id);
        if (!advance) throw new Error('no advance');
        return findPayoutHold(tx, advance, plainDate(today));
      });
    expect(await findHold('2026-12-10')).toBeNull();
    expect(await findHold('2026-12-11')).toContain('HMRC usually repays sooner');
  });
});

it('a refund that HMRC still doesn’t list some days after the approval needs manual review: it may have been paid elsewhere', async () => {
  const trader = await createTraderWithFiledReturn(portal, 'vanished@games.example', 4_410);
  await acceptAdvance(portal, trader);
  const { db } = portal.deps.database;
  // HMRC was read, but its lists contain nothing for the period.
  const isTraders = eq(hmrcObservations.companyId, trader.companyId);
  const rows = await db.select().from(hmrcObservations).where(isTraders);
  await db.delete(hmrcObservations).where(isTraders);
  await db.insert(hmrcObservations).values(rows.map((row) => (row.kind === 'liabilities' ? { ...row, body: [] } : row)));
  const { advance_id } = await findAdvance(trader);
  const recheck = async (at: string) => {
    portal.moveClock(at);
    await refreshPayeeFacts(portal.deps, trader.companyId);
    return db.transaction(async (tx) => {
      const advance = await lockAdvance(tx, trader.companyId, advance_id);
      if (!advance) throw new Error('no advance');
      return (await recheckApproved(portal.deps, tx, advance)).advance;
    });
  };
  try {
    expect((await recheck('2026-11-14T09:00:00.000Z')).state).toBe('approved');
    expect((await recheck('2026-11-15T09:00:00.000Z')).state).toBe('in_review');
    expect(await findAdvance(trader)).toMatchObject({
      state: 'in_review',
      rules: expect.arrayContaining([
        expect.objectContaining({ rule: 'refund_still_owed', outcome: 'review', finding: expect.stringContaining('may have repaid it') }),
      ]),
    });
  } finally {
    portal.moveClock('2026-11-10T09:00:00.000Z');
  }
});

describe('an unpaid difference', () => {
  /** Adds a refund of a company, or of another company with the same owner, while an earlier difference is disputed or overdue. */
  async function addShortfall(trader: Trader, owner: Trader, changes: Partial<typeof shortfalls.$inferInsert>): Promise<void> {
    const { db } = portal.deps.database;
    await db.update(shortfalls).set(changes).where(eq(shortfalls.companyId, owner.companyId));
    await trader.browser.post('/instant-vat/advance/quote', { company_id: trader.companyId, obligation_id: trader.obligation.id });
  }

  it('that is disputed or overdue sends every later refund to review, including those of the owner’s other company', async () => {
    const earlierTrader = await createShortRepaidTrader(portal, 'earlier@games.example', 4_405, 4_000);
    const next = await createTraderWithFiledReturn(portal, 'next@games.example', 4_406);
    expect(await findRule(next)).toMatchObject({ outcome: 'pass' });
    const { db } = portal.deps.database;
    const [owner] = await db.select({ id: users.id }).from(users).where(eq(users.email, 'earlier@games.example'));
    const createdAt = portal.deps.clock.now();
    await db.insert(memberships).values({ companyId: next.companyId, userId: owner?.id ?? '', role: 'trader_owner', createdAt });
    await addShortfall(next, earlierTrader, { status: 'due', dueOn: '2026-11-09' as never });
    expect(await findRule(next)).toMatchObject({
      outcome: 'review',
      finding: expect.stringContaining('Another company with the same owner'),
    });
    await addShortfall(next, earlierTrader, { status: 'disputed' });
    expect(await findRule(next)).toMatchObject({ outcome: 'review' });
    await acceptAdvance(portal, next);
    await confirmCollection(portal, next);
    expect((await findAdvance(next)).state).toBe('in_review');
  });

  /** An overdue difference of one company, and a refund that another one sells. */
  async function createOwingAndNext(name: string, refundPounds: number): Promise<{ owing: Trader; next: Trader }> {
    const owing = await createShortRepaidTrader(portal, `${name}-owing@games.example`, refundPounds, 4_000);
    return { owing, next: await createTraderWithFiledReturn(portal, `${name}-next@games.example`, refundPounds + 1) };
  }
  const findUserId = async ({ fullName }: Pick<Trader, 'fullName'>): Promise<string> => {
    const [user] = await portal.deps.database.db.select({ id: users.id }).from(users).where(eq(users.fullName, fullName));
    return user?.id ?? '';
  };
  const addMember = async ({ companyId }: Trader, userId: string): Promise<void> => {
    const row = { companyId, userId, role: 'trader_owner', createdAt: portal.deps.clock.now() } as const;
    await portal.deps.database.db.insert(memberships).values(row);
  };

  it.each(['the company that owes it', 'the company with the new refund'] as const)(
    'is still an owner’s after they have left %s',
    async (left) => {
      const { owing, next } = await createOwingAndNext(left.includes('owes') ? 'gone' : 'handed', 4_420);
      const company = left.includes('owes') ? owing : next;
      if (company === owing) {
        await addMember(next, await findUserId(owing));
        await addMember(owing, await findUserId(next));
      } else await addMember(next, await findUserId(owing));
      expect((await owing.browser.post('/instant-vat/people/leave', { company_id: company.companyId, confirmed: true })).status).toBe(200);
      await addShortfall(next, owing, { dueOn: '2026-11-09' as never });
      expect(await findRule(next)).toMatchObject({ outcome: 'review', finding: expect.stringContaining('with the same owner') });
    },
  );

  it('is found by the verified person, if they use another account for their other company', async () => {
    const { owing, next } = await createOwingAndNext('second', 4_430);
    await addShortfall(next, owing, { dueOn: '2026-11-09' as never });
    expect(await findRule(next)).toMatchObject({ outcome: 'pass' });
    const { db } = portal.deps.database;
    const [nextId, owingId] = [await findUserId(next), await findUserId(owing)];
    const [check] = await db.select().from(identityChecks).where(eq(identityChecks.userId, nextId));
    const changeOwing = (changes: Partial<typeof identityChecks.$inferInsert>) =>
      db.update(identityChecks).set(changes).where(eq(identityChecks.userId, owingId));
    // The same name with another month of birth is another person.
    await changeOwing({ fullName: next.fullName, bornIn: '1931-01' });
    await addShortfall(next, owing, { status: 'due' });
    expect(await findRule(next)).toMatchObject({ outcome: 'pass' });
    await changeOwing({ bornIn: check?.bornIn ?? '' });
    await addShortfall(next, owing, { status: 'due' });
    expect(await findRule(next)).toMatchObject({ outcome: 'review', finding: expect.stringContaining('with the same owner') });
  });

  it.each([
    ['is being collected', { status: 'due', dueOn: plainDate('2026-12-24') }],
    ['may come', { status: 'watching', cause: 'late' }],
    ['was closed by an operator while HMRC hasn’t repaid the refund', { status: 'closed' }],
  ] as const)('that %s sends refunds of the same verified person’s other companies to review', async (reason, changes) => {
    const name = reason.split(' ').at(-1);
    const { owing, next } = await createOwingAndNext(`own-${name}`, 4_440);
    await portal.deps.database.db.update(advances).set({ state: 'awaiting_hmrc' }).where(eq(advances.companyId, owing.companyId));
    const bookkeeper = { fullName: `Bookkeeper ${name}` };
    await signUp(portal, `books-${name}@games.example`, bookkeeper);
    for (const trader of [owing, next]) await addMember(trader, await findUserId(bookkeeper));
    await addShortfall(next, owing, changes);
    // HMRC is often late, and a bookkeeper's clients have nothing to do with each other.
    expect(await findRule(next)).toMatchObject({ outcome: 'pass' });
    await addMember(next, await findUserId(owing));
    await addShortfall(next, owing, changes);
    expect(await findRule(next)).toMatchObject({
      outcome: 'review',
      finding: 'HMRC hasn’t repaid a refund of another company with the same owner as expected.',
    });
    // A repayment on its way to us looks like one that went elsewhere.
    await addShortfall(next, owing, { status: 'watching', cause: 'cleared', openedAt: portal.deps.clock.now() });
    expect(await findRule(next)).toMatchObject({ outcome: 'pass' });
  });

  it('that is disputed after the approval sends the refund back to review, so that a dispute can’t avoid netting', async () => {
    const earlierTrader = await createShortRepaidTrader(portal, 'late@games.example', 4_407, 4_000);
    const next = await createTraderWithFiledReturn(portal, 'dispute@games.example', 4_408);
    await acceptAdvance(portal, next);
    expect((await findAdvance(next)).state).toBe('approved');
    // The case belongs to another company with the same owner, because a test trader has only one refund.
    const { db } = portal.deps.database;
    const [owner] = await db.select({ id: users.id }).from(users).where(eq(users.email, 'late@games.example'));
    const row = { companyId: next.companyId, userId: owner?.id ?? '', role: 'trader_owner', createdAt: portal.deps.clock.now() } as const;
    await db.insert(memberships).values(row);
    const { shortfall_id } = await findCase(earlierTrader);
    await earlierTrader.browser.post('/instant-vat/shortfall/dispute', {
      company_id: earlierTrader.companyId,
      shortfall_id,
      reason: 'Not owed',
    });
    await confirmCollection(portal, next);
    expect((await findAdvance(next)).state).toBe('in_review');
  });

  it('that comes after the approval of a refund sends it back to review, although an operator knew of an earlier one', async () => {
    const [known, later] = [
      await createShortRepaidTrader(portal, 'known@games.example', 4_409, 4_408),
      await createShortRepaidTrader(portal, 'after@games.example', 4_410, 1),
    ];
    const next = await createTraderWithFiledReturn(portal, 'waiting@games.example', 4_411);
    // The cases belong to other companies with the same owner, because a test trader has only one refund.
    for (const trader of [known, later]) await addMember(next, await findUserId(trader));
    const dispute = async (trader: Trader) => {
      const { shortfall_id } = await findCase(trader);
      await trader.browser.post('/instant-vat/shortfall/dispute', { company_id: trader.companyId, shortfall_id, reason: 'Not owed' });
    };
    await dispute(known);
    const { advance_id } = await acceptAdvance(portal, next);
    const omar = await createOperator(portal, 'omar@operators.example');
    // For the sake of £1, operators approve and release it. It waits only for the trader's confirmation.
    expect((await postApproval(olga, next, advance_id)).status).toBe(200);
    expect((await postRelease(omar, next, advance_id)).status).toBe(200);
    await dispute(later);
    await confirmCollection(portal, next);
    expect((await findAdvance(next)).state).toBe('in_review');
  });
});
