/** Re-encrypts, with the newest key, the seals that prove that the portal wrote a payout or a fact behind one. */
import type { Db } from '@portal/db/database.ts';
import { advances, approvalRequests, bankAccounts, invoiceRefunds, payoutReleases, payouts } from '@portal/db/schema/schema.ts';
import { and, eq, isNotNull, isNull, notLike, type AnyColumn, type SQL } from '@portal/db/sql.ts';
import {
  getAccountSealContext,
  getApprovalsSealContext,
  getReleaseSealContext,
  getTermsSealContext,
} from '../features/advances/payout-facts.ts';
import { getOrderSealContext } from '../features/advances/payout-order.ts';
import { getRequestSealContext } from '../features/approvals/request-seal.ts';
import { getRefundSealContext } from '../features/billing/refund-seal.ts';
import { tryOpenFacts } from './sealed-facts.ts';
import type { SealContext, TokenCipher } from './token-cipher.ts';

export async function resealFacts(db: Db, cipher: TokenCipher): Promise<void> {
  const [newestKeyId = ''] = cipher.keyIds;
  const isOlder = (column: AnyColumn): SQL | undefined => and(isNotNull(column), notLike(column, `${newestKeyId}.%`));
  /**
   * Returns undefined for a seal that isn't the portal's or can't be opened here. Such a seal is left unchanged, and rejected where it is
   * used.
   */
  const reseal = (seal: string | null, sealContext: SealContext): string | undefined => {
    const openedFacts = tryOpenFacts(cipher, seal, sealContext);
    return openedFacts === undefined ? undefined : cipher.seal(openedFacts, sealContext);
  };
  for (const row of await db.select().from(payouts).where(isOlder(payouts.orderSeal))) {
    const orderSeal = reseal(row.orderSeal, getOrderSealContext(row));
    if (orderSeal !== undefined)
      await db
        .update(payouts)
        .set({ orderSeal })
        .where(isUnchanged(payouts, payouts.orderSeal, row, row.orderSeal));
  }
  for (const row of await db.select().from(bankAccounts).where(isOlder(bankAccounts.seal))) {
    const seal = reseal(row.seal, getAccountSealContext(row));
    if (seal !== undefined)
      await db
        .update(bankAccounts)
        .set({ seal })
        .where(isUnchanged(bankAccounts, bankAccounts.seal, row, row.seal));
  }
  for (const row of await db.select().from(payoutReleases).where(isOlder(payoutReleases.seal))) {
    const seal = reseal(row.seal, getReleaseSealContext(row));
    if (seal !== undefined)
      await db
        .update(payoutReleases)
        .set({ seal })
        .where(isUnchanged(payoutReleases, payoutReleases.seal, row, row.seal));
  }
  // A decided request never changes, so its seal is no longer needed.
  for (const row of await db
    .select()
    .from(approvalRequests)
    .where(and(isOlder(approvalRequests.seal), isNull(approvalRequests.decidedAt)))) {
    const seal = reseal(row.seal, getRequestSealContext(row));
    if (seal !== undefined)
      await db
        .update(approvalRequests)
        .set({ seal })
        .where(isUnchanged(approvalRequests, approvalRequests.seal, row, row.seal));
  }
  for (const row of await db.select().from(invoiceRefunds).where(isOlder(invoiceRefunds.orderSeal))) {
    const orderSeal = reseal(row.orderSeal, getRefundSealContext(row));
    if (orderSeal !== undefined)
      await db
        .update(invoiceRefunds)
        .set({ orderSeal })
        .where(isUnchanged(invoiceRefunds, invoiceRefunds.orderSeal, row, row.orderSeal));
  }
  await resealAdvances(db, reseal, isOlder);
}

async function resealAdvances(
  db: Db,
  reseal: (seal: string | null, sealContext: SealContext) => string | undefined,
  isOlder: (column: AnyColumn) => SQL | undefined,
): Promise<void> {
  const { companyId, id, termsSeal, sealedApprovals } = advances;
  const fields = { companyId, id, termsSeal, sealedApprovals };
  for (const row of await db.select(fields).from(advances).where(isOlder(termsSeal))) {
    const seal = reseal(row.termsSeal, getTermsSealContext(row));
    if (seal !== undefined)
      await db
        .update(advances)
        .set({ termsSeal: seal })
        .where(isUnchanged(advances, termsSeal, row, row.termsSeal));
  }
  for (const row of await db.select(fields).from(advances).where(isOlder(sealedApprovals))) {
    const seal = reseal(row.sealedApprovals, getApprovalsSealContext(row));
    if (seal !== undefined)
      await db
        .update(advances)
        .set({ sealedApprovals: seal })
        .where(isUnchanged(advances, sealedApprovals, row, row.sealedApprovals));
  }
}

/** A value written in the meantime already uses the newest key. Each seal has its own nonce, so it identifies its row. */
function isUnchanged(
  table: { readonly companyId: AnyColumn },
  column: AnyColumn,
  row: { readonly companyId: string },
  seal: string | null,
) {
  return and(eq(table.companyId, row.companyId), eq(column, seal));
}
