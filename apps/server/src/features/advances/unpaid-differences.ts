/** Differences on earlier refunds that an operator should see before we pay for another refund. */
import type { Db, Tx } from '@portal/db/database.ts';
import { advances, allTenantsShortfalls, shortfalls } from '@portal/db/schema/schema.ts';
import type { EligibilityFacts, UnpaidDifference } from '@portal/domain/advances/evaluate-eligibility.ts';
import { toLondonDate } from '@portal/domain/clock.ts';
import { addDays, type PlainDate } from '@portal/domain/plain-date.ts';
import type { ShortfallStatus } from '@portal/domain/shortfalls/shortfall-status.ts';
import { and, eq, inArray, lt, or } from '@portal/db/sql.ts';
import type { OwnersCompanies } from './owners-companies.ts';

/** HMRC takes three working days to pay, so for a while a refund that it has paid looks like one that went elsewhere. */
const IN_TRANSIT_DAYS = 5;

/**
 * Only overdue differences need review, because merely due ones are deducted from the payout. A refund that HMRC hasn't repaid as expected
 * needs one too: otherwise a trader could sell one false refund after the other before the first one is claimed.
 */
export async function loadDifferences(
  db: Db | Tx,
  companyId: string,
  otherCompanies: OwnersCompanies,
  today: PlainDate,
): Promise<EligibilityFacts['differences']> {
  const isUnpaid = ({ status, dueOn }: typeof shortfalls | typeof allTenantsShortfalls) =>
    or(inArray(status, ['disputed', 'written_off']), and(eq(status, 'due'), lt(dueOn, today)));
  const ownDifferences = await db
    .select({ status: shortfalls.status, cause: shortfalls.cause, openedAt: shortfalls.openedAt, reference: shortfalls.reference })
    .from(shortfalls)
    .innerJoin(advances, and(eq(advances.companyId, shortfalls.companyId), eq(advances.id, shortfalls.advanceId)))
    .where(
      and(
        eq(shortfalls.companyId, companyId),
        // One operator can close a case. While HMRC hasn't repaid the refund, that alone mustn't let the rules pay for the next one.
        or(
          isUnpaid(shortfalls),
          eq(shortfalls.status, 'watching'),
          and(eq(shortfalls.status, 'closed'), eq(advances.state, 'awaiting_hmrc')),
        ),
      ),
    )
    .orderBy(shortfalls.openedAt);
  const differencesOfOwners = await db
    .select({ id: allTenantsShortfalls.id })
    .from(allTenantsShortfalls)
    .where(and(inArray(allTenantsShortfalls.companyId, [...otherCompanies.ofAnyone]), isUnpaid(allTenantsShortfalls)));
  const isInTransit = ({ status, cause, openedAt }: (typeof ownDifferences)[number]) =>
    status === 'watching' && cause === 'cleared' && addDays(toLondonDate(openedAt), IN_TRANSIT_DAYS) >= today;
  return {
    own: ownDifferences.filter((row) => !isInTransit(row)).map(({ status, reference }) => ({ kind: toKind(status), reference })),
    ofOwners: differencesOfOwners.length,
  };
}

function toKind(status: ShortfallStatus): UnpaidDifference['kind'] {
  if (status === 'due') return 'overdue';
  return status === 'watching' || status === 'closed' ? 'doubtful' : (status as UnpaidDifference['kind']);
}
