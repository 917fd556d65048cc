/** Lists what prevents a company's account from being closed: money between us and the trader, and a return being sent to HMRC. */
import type { ClosingBlocker } from '@portal/contract/data-protection.ts';
import type { Db, Tx } from '@portal/db/database.ts';
import {
  advances,
  clients,
  collectionPayouts,
  directDebits,
  filings,
  memberships,
  obligations,
  payouts,
  returnApprovals,
  shortfalls,
  subscriptionChanges,
  unrecordedPayouts,
} from '@portal/db/schema/schema.ts';
import { canWithdraw, ENDED_STATES, type AdvanceState } from '@portal/domain/advances/advance-states.ts';
import type { Role } from '@portal/domain/identity/roles.ts';
import { formatPounds, pence } from '@portal/domain/money.ts';
import { formatPeriod, type PlainDate } from '@portal/domain/plain-date.ts';
import { isPendingDirectDebit } from '@portal/domain/shortfalls/direct-debit.ts';
import { OPEN_SHORTFALL_STATUSES } from '@portal/domain/shortfalls/shortfall-status.ts';
import { and, eq, inArray, isNull, ne, notInArray } from '@portal/db/sql.ts';
import { IS_UNEXPLAINED } from '../advances/store-collection-payouts.ts';
import { IS_UNCLAIMED } from '../advances/store-unrecorded.ts';
import { findOpenMoney } from '../reconciliation-exceptions/find-open-money.ts';

export type Blocker = {
  readonly kind: ClosingBlocker;
  readonly text: string;
  readonly first: { readonly of: 'company' | 'practice'; readonly company_id: string } | null;
};

/** An offer that wasn't accepted doesn't prevent closing, because closing withdraws it. */
export const NOT_OPEN_STATES: readonly AdvanceState[] = ['quoted', ...ENDED_STATES];

/** Lists all reasons together, so that the user doesn’t have to retry for each. */
export async function listCompanyBlockers(db: Db | Tx, companyId: string, member: { userId: string; role: Role }): Promise<Blocker[]> {
  // Sequential, because a transaction has one connection.
  const foundBlockers = [
    await findOtherOwners(db, companyId, member),
    await listAdvances(db, companyId),
    await listFilings(db, companyId),
    await listShortfalls(db, companyId),
    await listDirectDebits(db, companyId),
    await listPayouts(db, companyId),
    await listUnrecordedPayouts(db, companyId),
    await findMoneyOwed(db, companyId),
    await findStartingSubscription(db, companyId),
  ];
  return foundBlockers.flat().map(([kind, text]) => ({ kind, text, first: null }));
}

type FoundBlocker = readonly [ClosingBlocker, string];

/** Closing ends access for everyone in the company, so only its last owner or admin may decide. */
async function findOtherOwners(db: Db | Tx, companyId: string, { userId, role }: { userId: string; role: Role }): Promise<FoundBlocker[]> {
  const otherOwners = await db
    .select({ userId: memberships.userId })
    .from(memberships)
    .where(and(eq(memberships.companyId, companyId), eq(memberships.role, role), ne(memberships.userId, userId)));
  if (otherOwners.length === 0) return [];
  const name = role === 'practice_admin' ? 'administrator' : 'owner';
  const count = otherOwners.length === 1 ? `another ${name}` : `${otherOwners.length} other ${name}s`;
  return [
    ['other_owners', `There is ${count}. Only the last ${name} can close it. If you just want to leave, close your own account instead.`],
  ];
}

async function listAdvances(db: Db | Tx, companyId: string): Promise<FoundBlocker[]> {
  const rows = await db
    .select()
    .from(advances)
    .where(and(eq(advances.companyId, companyId), notInArray(advances.state, [...NOT_OPEN_STATES])));
  return rows.map(({ state, netPence, refundPence, ...period }) => {
    const periodText = toPeriod(period);
    return canWithdraw(state as AdvanceState)
      ? ['advance', `You’ve accepted an advance of ${formatPounds(netPence)} for ${periodText}. Withdraw from it first.`]
      : ['advance', `The advance for ${periodText} is open until we’ve received HMRC’s repayment of ${formatPounds(refundPence)}.`];
  });
}

const toPeriod = ({ periodStart, periodEnd }: { periodStart: PlainDate; periodEnd: PlainDate }): string =>
  formatPeriod(periodStart, periodEnd);

async function listFilings(db: Db | Tx, companyId: string): Promise<FoundBlocker[]> {
  const rows = await db
    .select({ periodStart: obligations.periodStart, periodEnd: obligations.periodEnd })
    .from(filings)
    .innerJoin(obligations, and(eq(obligations.companyId, filings.companyId), eq(obligations.id, filings.obligationId)))
    .where(and(eq(filings.companyId, companyId), inArray(filings.state, ['sending', 'unknown'])));
  const filingBlockers: FoundBlocker[] = rows.map((period) => [
    'filing',
    `The return for ${toPeriod(period)} is being filed. Wait until HMRC has confirmed it.`,
  ]);
  // A practice can't see its clients' attempts, but each has an approval that isn't filed.
  const approvedRows = await db
    .select({ periodStart: returnApprovals.periodStart, periodEnd: returnApprovals.periodEnd, client: clients.name })
    .from(returnApprovals)
    .innerJoin(clients, and(eq(clients.companyId, returnApprovals.companyId), eq(clients.id, returnApprovals.clientId)))
    .where(
      and(
        eq(returnApprovals.companyId, companyId),
        eq(returnApprovals.state, 'approved'),
        isNull(returnApprovals.endedAt),
        isNull(returnApprovals.filedAt),
      ),
    );
  const approvedReturns = approvedRows.map(({ client, ...period }): FoundBlocker => {
    return [
      'filing',
      `${client}’s return for ${toPeriod(period)} is approved but not filed, or is being filed. File it or withdraw it first.`,
    ];
  });
  return [...filingBlockers, ...approvedReturns];
}

async function listShortfalls(db: Db | Tx, companyId: string): Promise<FoundBlocker[]> {
  const rows = await db
    .select({ reference: shortfalls.reference })
    .from(shortfalls)
    .where(and(eq(shortfalls.companyId, companyId), inArray(shortfalls.status, [...OPEN_SHORTFALL_STATUSES])));
  return rows.map(({ reference }) => ['shortfall', `The case ${reference} about a late or reduced refund is open. Settle it first.`]);
}

async function listDirectDebits(db: Db | Tx, companyId: string): Promise<FoundBlocker[]> {
  const rows = await db
    .select({ status: directDebits.status, amountPence: directDebits.amountPence })
    .from(directDebits)
    .where(eq(directDebits.companyId, companyId));
  return rows
    .filter(({ status }) => isPendingDirectDebit(status))
    .map(({ amountPence }) => [
      'direct_debit',
      `A Direct Debit of ${formatPounds(amountPence)} is being collected. Wait until it has gone through.`,
    ]);
}

async function listPayouts(db: Db | Tx, companyId: string): Promise<FoundBlocker[]> {
  const rows = await db
    .select({ amountPence: payouts.amountPence })
    .from(payouts)
    .where(and(eq(payouts.companyId, companyId), isNull(payouts.advanceId), inArray(payouts.status, ['created', 'submitted'])));
  return rows.map(({ amountPence }) => ['payout', `We’re paying you ${formatPounds(amountPence)}. Wait until it has arrived.`]);
}

/** Stripe may have started it although its response was lost, and closing could then not end it: we don't know its ID yet. */
async function findStartingSubscription(db: Db | Tx, companyId: string): Promise<FoundBlocker[]> {
  const isStarting = and(
    eq(subscriptionChanges.companyId, companyId),
    eq(subscriptionChanges.kind, 'start'),
    eq(subscriptionChanges.status, 'sending'),
  );
  const rows = await db.select({ id: subscriptionChanges.id }).from(subscriptionChanges).where(isStarting);
  return rows.map(() => [
    'subscription',
    'Your subscription is being set up. Try again in a few minutes, and we’ll end it when you close.',
  ]);
}

/** Payments that the trader may have got without an order. Operators may decide that the trader owes them back. */
async function listUnrecordedPayouts(db: Db | Tx, companyId: string): Promise<FoundBlocker[]> {
  const rows = await db
    .select({ amountPence: unrecordedPayouts.amountPence })
    .from(unrecordedPayouts)
    .where(and(eq(unrecordedPayouts.companyId, companyId), IS_UNCLAIMED));
  const fromCollectionAccount = await db
    .select({ amountPence: collectionPayouts.amountPence })
    .from(collectionPayouts)
    .where(and(eq(collectionPayouts.companyId, companyId), IS_UNEXPLAINED));
  return [
    ...rows.map(({ amountPence }): FoundBlocker => {
      return [
        'undecided_payment',
        `We’re finding out what our payment of ${formatPounds(amountPence)} to you was for. Contact us if you know.`,
      ];
    }),
    ...fromCollectionAccount.map(({ amountPence }): FoundBlocker => {
      return [
        'undecided_payment',
        `We’re finding out what a payment of ${formatPounds(amountPence)} from your collection account was for.`,
      ];
    }),
  ];
}

async function findMoneyOwed(db: Db | Tx, companyId: string): Promise<FoundBlocker[]> {
  const { owed, undecided } = await findOpenMoney(db, companyId);
  const foundBlockers: FoundBlocker[] = [];
  if (owed > 0)
    foundBlockers.push([
      'owed',
      `We owe you ${formatPounds(owed)} and must pay it to you first. Contact us if it takes longer than a week.`,
    ]);
  if (owed < 0)
    foundBlockers.push(['shortfall', `You owe us ${formatPounds(pence(-owed))}, because we paid you too much. Pay it back first.`]);
  if (undecided > 0)
    foundBlockers.push([
      'undecided_payment',
      `We’re finding out what a payment of ${formatPounds(undecided)} was for. Contact us if you know.`,
    ]);
  return foundBlockers;
}
