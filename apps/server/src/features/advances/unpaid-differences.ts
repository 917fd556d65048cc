/** Differences on earlier refunds that an operator should see before we pay for another refund. */
import type { Db, Tx } from '@portal/db/database.ts';
import { advances, allTenantsAdvances, allTenantsShortfalls, shortfalls } from '@portal/db/schema/schema.ts';
import type { EligibilityFacts, UnpaidDifference } from '@portal/domain/advances/evaluate-eligibility.ts';
import { toLondonDate } from '@portal/domain/clock.ts';
import { addDays, type PlainDate } from '@portal/domain/plain-date.ts';
import type { ShortfallStatus } from '@portal/domain/shortfalls/shortfall-status.ts';
import { and, eq, gte, inArray, lt, or } from '@portal/db/sql.ts';
import type { OwnersCompanies } from './owners-companies.ts';

/** HMRC takes three working days to pay, so for a while a refund that it has paid looks like one that went elsewhere. */
const IN_TRANSIT_DAYS = 5;

type Differences = EligibilityFacts['differences'];

/** An unpaid difference that isn't merely due: those are deducted from the company's next payout. */
const isUnpaid = ({ status, dueOn }: typeof shortfalls | typeof allTenantsShortfalls, today: PlainDate) =>
  or(inArray(status, ['disputed', 'written_off']), and(eq(status, 'due'), lt(dueOn, today)));

/** HMRC hasn't repaid the refund. One operator can close a case, and that alone mustn't let the rules pay for the next refund. */
const isDoubtful = ({ status }: typeof shortfalls | typeof allTenantsShortfalls, advance: typeof advances | typeof allTenantsAdvances) =>
  or(eq(status, 'watching'), and(eq(status, 'closed'), eq(advance.state, 'awaiting_hmrc')));

type Case = Pick<typeof shortfalls.$inferSelect, 'status' | 'cause' | 'openedAt'>;

const isInTransit = ({ status, cause, openedAt }: Case, today: PlainDate): boolean =>
  status === 'watching' && cause === 'cleared' && addDays(toLondonDate(openedAt), IN_TRANSIT_DAYS) >= today;

/**
 * A refund that HMRC hasn't repaid as expected needs review too: otherwise someone could sell one false refund after the other before the
 * first one is claimed.
 */
export async function loadDifferences(
  db: Db | Tx,
  companyId: string,
  otherCompanies: OwnersCompanies,
  today: PlainDate,
): Promise<Differences> {
  const ownDifferences = await db
    .select({ status: shortfalls.status, cause: shortfalls.cause, openedAt: shortfalls.openedAt, reference: shortfalls.reference })
    .from(shortfalls)
    .innerJoin(advances, and(eq(advances.companyId, shortfalls.companyId), eq(advances.id, shortfalls.advanceId)))
    .where(and(eq(shortfalls.companyId, companyId), or(isUnpaid(shortfalls, today), isDoubtful(shortfalls, advances))))
    .orderBy(shortfalls.openedAt);
  const differencesOfOwners = await db
    .select({ id: allTenantsShortfalls.id })
    .from(allTenantsShortfalls)
    .where(and(inArray(allTenantsShortfalls.companyId, [...otherCompanies.ofAnyone]), isUnpaid(allTenantsShortfalls, today)));
  return {
    own: ownDifferences.filter((row) => !isInTransit(row, today)).map(({ status, reference }) => ({ kind: toKind(status), reference })),
    ofOwners: differencesOfOwners.length,
    lateOfOwners: await countLateRefunds(db, otherCompanies.ofVerifiedPeople, today),
  };
}

/**
 * Only companies of verified people, because HMRC is often late, and a bookkeeper's other clients have nothing to do with it. A difference
 * that is merely due counts here: the other company's payouts don't deduct it.
 */
async function countLateRefunds(db: Db | Tx, companyIds: readonly string[], today: PlainDate): Promise<number> {
  const isDue = and(eq(allTenantsShortfalls.status, 'due'), gte(allTenantsShortfalls.dueOn, today));
  const isThisAdvance = and(
    eq(allTenantsAdvances.companyId, allTenantsShortfalls.companyId),
    eq(allTenantsAdvances.id, allTenantsShortfalls.advanceId),
  );
  const lateRefunds = await db
    .select({ status: allTenantsShortfalls.status, cause: allTenantsShortfalls.cause, openedAt: allTenantsShortfalls.openedAt })
    .from(allTenantsShortfalls)
    .innerJoin(allTenantsAdvances, isThisAdvance)
    .where(and(inArray(allTenantsShortfalls.companyId, [...companyIds]), or(isDue, isDoubtful(allTenantsShortfalls, allTenantsAdvances))));
  return lateRefunds.filter((row) => !isInTransit(row, today)).length;
}

function toKind(status: ShortfallStatus): UnpaidDifference['kind'] {
  if (status === 'due') return 'overdue';
  return status === 'watching' || status === 'closed' ? 'doubtful' : (status as UnpaidDifference['kind']);
}
