import { booksFiles, clients } from '@portal/db/schema/schema.ts';
import { and, eq, isNotNull, isNull, type SQL, sql } from '@portal/db/sql.ts';

/**
 * Returns a condition for the files whose figures count; order them newest first by `appliedAt`. Books read under a VAT number other than
 * the client's current one never count, whenever the number changed: one registration's figures would be filed under another.
 */
export function isCurrentFile(companyId: string): SQL | undefined {
  const isOtherRegistration = sql`exists (select 1 from ${clients} where ${clients.id} = ${booksFiles.companyId}
    and ${clients.vrn} is distinct from ${booksFiles.vatNumber} and ${clients.vrn} is not null and ${booksFiles.vatNumber} is not null)`;
  return and(
    eq(booksFiles.companyId, companyId),
    isNotNull(booksFiles.appliedAt),
    isNull(booksFiles.withdrawnAt),
    sql`not ${isOtherRegistration}`,
  );
}
