/** Payments from collection accounts that nothing explains yet. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { reconciliationExceptionsApi } from '@portal/contract/reconciliation-exceptions.ts';
import type { Db } from '@portal/db/database.ts';
import { collectionPayouts, companies, creditReturns } from '@portal/db/schema/schema.ts';
import type { CollectionPayoutKind } from '@portal/domain/advances/collection-payout-kinds.ts';
import { formatSortCode } from '@portal/domain/uk-tax/references/format-sort-code.ts';
import { asc, eq, sql } from '@portal/db/sql.ts';
import { IS_UNEXPLAINED, type CollectionPayoutRow } from '../advances/store-collection-payouts.ts';

type ReconciliationException = EndpointOutput<typeof reconciliationExceptionsApi.list>['matters'][number];
type CollectionPayoutException = Pick<
  ReconciliationException,
  'kind' | 'subject_id' | 'company_id' | 'company_name' | 'amount_pence' | 'since' | 'reference' | 'remitter' | 'resolutions'
> & { readonly notes: [] };

/** Oldest first. */
export async function listCollectionPayouts(db: Db): Promise<CollectionPayoutException[]> {
  const rows = await db
    .select({ payout: collectionPayouts, companyName: companies.name, isReturnKnown: IS_RETURN_KNOWN })
    .from(collectionPayouts)
    .innerJoin(companies, eq(companies.id, collectionPayouts.companyId))
    .where(IS_UNEXPLAINED)
    .orderBy(asc(collectionPayouts.sentAt));
  return rows.map(({ payout, companyName, isReturnKnown }) => ({
    kind: 'collection_payout',
    subject_id: payout.id,
    company_id: payout.companyId,
    company_name: companyName,
    amount_pence: payout.amountPence,
    since: payout.sentAt,
    remitter: describeReceiver(payout),
    reference: payout.reference,
    resolutions: listCollectionPayoutKinds(isReturnKnown),
    notes: [],
  }));
}

/** Two people have recorded the return of a credit of this amount, and no payment is linked to it. */
const IS_RETURN_KNOWN = sql`exists (
  select from ${creditReturns}
  where ${creditReturns.companyId} = ${collectionPayouts.companyId} and ${creditReturns.amountPence} = ${collectionPayouts.amountPence}
    and not exists (select from ${collectionPayouts} as linked where linked.credit_return_id = ${creditReturns.id}))`.mapWith(Boolean);

function listCollectionPayoutKinds(isReturnKnown: boolean): CollectionPayoutKind[] {
  return ['to_us', ...(isReturnKnown ? (['credit_return'] as const) : []), 'to_trader', 'lost'];
}

export function describeReceiver({ accountHolder, sortCode, accountNumber }: CollectionPayoutRow): string {
  if (accountNumber === '') return `${accountHolder} (without a UK account number)`;
  return `${accountHolder} (${formatSortCode(sortCode)}, account ending ${accountNumber.slice(-4)})`;
}
