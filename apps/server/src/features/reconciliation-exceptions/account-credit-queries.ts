/** Money on the account from which we pay that operators haven't identified yet. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { reconciliationExceptionsApi } from '@portal/contract/reconciliation-exceptions.ts';
import type { Db, Tx } from '@portal/db/database.ts';
import { accountCredits, payouts } from '@portal/db/schema/schema.ts';
import type { AccountCreditKind } from '@portal/domain/advances/account-credit-kinds.ts';
import { asc, eq, isNull, sql } from '@portal/db/sql.ts';
import { NO_COMPANY } from '../audit/record-audit.ts';

type ReconciliationException = EndpointOutput<typeof reconciliationExceptionsApi.list>['matters'][number];
type AccountCreditRow = typeof accountCredits.$inferSelect;

type AccountCreditException = Pick<
  ReconciliationException,
  'kind' | 'subject_id' | 'company_id' | 'company_name' | 'amount_pence' | 'currency' | 'since' | 'reference' | 'remitter' | 'resolutions'
> & { readonly notes: [] };

/** Oldest first. */
export async function listAccountCredits(db: Db): Promise<AccountCreditException[]> {
  const rows = await db
    .select({ credit: accountCredits, isReturnKnown: IS_RETURN_KNOWN })
    .from(accountCredits)
    .where(isNull(accountCredits.resolution))
    .orderBy(asc(accountCredits.receivedAt));
  return rows.map(({ credit, isReturnKnown }) => ({
    kind: 'account_credit',
    subject_id: credit.id,
    company_id: NO_COMPANY,
    company_name: 'The account we pay from',
    amount_pence: credit.amountPence,
    currency: credit.currency,
    since: credit.receivedAt,
    remitter: credit.remitter,
    reference: credit.reference,
    resolutions: listAccountCreditKinds(isReturnKnown),
    notes: [],
  }));
}

/** Locks the credit. `kinds` are its possible resolutions. */
export async function lockAccountCredit(
  tx: Tx,
  id: string,
): Promise<{ readonly credit: AccountCreditRow; readonly kinds: readonly AccountCreditKind[] } | undefined> {
  const [row] = await tx
    .select({ credit: accountCredits, isReturnKnown: IS_RETURN_KNOWN })
    .from(accountCredits)
    .where(eq(accountCredits.id, id))
    .for('update');
  return row && { credit: row.credit, kinds: listAccountCreditKinds(row.isReturnKnown) };
}

/** The bank has since returned a payout of this amount. Each such payout explains one credit. */
const IS_RETURN_KNOWN = sql`
  (select count(*) from ${payouts} where ${payouts.status} = 'returned' and ${payouts.amountPence} = ${accountCredits.amountPence})
  > (select count(*) from ${accountCredits} as explained
    where explained.amount_pence = ${accountCredits.amountPence} and explained.resolution = 'payout_return')`.mapWith(Boolean);

function listAccountCreditKinds(isReturnKnown: boolean): AccountCreditKind[] {
  return [...(isReturnKnown ? (['payout_return'] as const) : []), 'own_money', 'sent_back'];
}
