/** The rules for a restored database: the ledger balances, and every audit chain is intact. */
import type { Db } from '@portal/db/database.ts';
import { sql } from '@portal/db/sql.ts';
import { verifyAudit } from '../../apps/server/src/features/audit/verify-audit.ts';

export type BooksCheck = {
  readonly postings: number;
  readonly unbalanced: number;
  readonly auditEntries: number;
  readonly auditProblems: number;
};

export async function checkBooks(db: Db): Promise<BooksCheck> {
  const { rows } = await db.execute<{ postings: number; unbalanced: number }>(sql`
    select count(*) as postings, count(*) filter (where total <> 0) as unbalanced
    from (select sum(amount_pence) as total from ledger_lines group by company_id, posting_id) as posting`);
  const { entries, problems } = await verifyAudit(db, []);
  return {
    postings: rows[0]?.postings ?? 0,
    unbalanced: rows[0]?.unbalanced ?? 0,
    auditEntries: entries,
    auditProblems: problems.length,
  };
}
