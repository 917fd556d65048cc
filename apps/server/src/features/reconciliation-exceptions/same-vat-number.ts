/**
 * HMRC's money on the collection account of a company that was closed, whose VAT number sells its refunds from another account here. HMRC may
 * still have the old collection account, although the trader says that it has the new one.
 */
import type { Tx } from '@portal/db/database.ts';
import { allTenantsAdvances, companies, vrnClaims } from '@portal/db/schema/schema.ts';
import { EXPOSED_STATES } from '@portal/domain/advances/advance-states.ts';
import { isHmrcRemitter } from '@portal/domain/advances/match-credit.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { and, eq, inArray, ne } from '@portal/db/sql.ts';
import type { CreditRow } from '../advances/credit-facts.ts';

/** Throws if the credit may be HMRC's repayment of a refund that we bought, or may soon pay for, from the VAT number's other account. */
export async function assertNotOfOtherAccount(tx: Tx, { companyId, remitter }: CreditRow): Promise<void> {
  if (!isHmrcRemitter(remitter)) return;
  const [company] = await tx.select({ vrn: companies.vrn }).from(companies).where(eq(companies.id, companyId));
  const [other] = await tx
    .select({ id: allTenantsAdvances.id })
    .from(vrnClaims)
    .innerJoin(allTenantsAdvances, eq(allTenantsAdvances.companyId, vrnClaims.companyId))
    .where(
      and(
        eq(vrnClaims.vrn, company?.vrn ?? ''),
        ne(vrnClaims.companyId, companyId),
        // What we wrote off isn't the trader's either: HMRC may have paid it here.
        inArray(allTenantsAdvances.state, [...EXPOSED_STATES, 'written_off']),
      ),
    )
    .limit(1);
  if (!other) return;
  const message =
    'This VAT number now has another account here, and HMRC’s payment may be for a refund that was sold from it. Return the payment to HMRC, or wait until that refund is settled, in full if we wrote it off.';
  throw new AppError('conflict', 'reconciliation.other_account', message);
}
