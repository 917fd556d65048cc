/** Stored write-offs of unpaid invoices (docs/decisions/0079-bad-debts.md). */
import type { Db, Tx } from '@portal/db/database.ts';
import { invoiceWriteOffs } from '@portal/db/schema/schema.ts';
import { and, desc, eq, inArray } from '@portal/db/sql.ts';
import { toLondonDate, type Instant } from '@portal/domain/clock.ts';
import type { AppDeps } from '../../app-deps.ts';
import { recordAudit } from '../audit/record-audit.ts';

export type WriteOffRow = typeof invoiceWriteOffs.$inferSelect;

export const isThisWriteOff = (companyId: string, id: string) =>
  and(eq(invoiceWriteOffs.companyId, companyId), eq(invoiceWriteOffs.id, id));

/** Returns the latest write-off of each invoice, by invoice ID. Earlier ones were rejected. */
export async function listWriteOffs(db: Db | Tx, invoiceIds: readonly string[]): Promise<ReadonlyMap<string, WriteOffRow>> {
  if (invoiceIds.length === 0) return new Map();
  const isWanted = inArray(invoiceWriteOffs.invoiceId, [...invoiceIds]);
  const rows = await db.select().from(invoiceWriteOffs).where(isWanted).orderBy(desc(invoiceWriteOffs.orderedAt));
  return new Map(rows.toReversed().map((row) => [row.invoiceId, row]));
}

type DebtRecovery = { readonly companyId: string; readonly invoiceId: string; readonly paidAt: Instant };

/** Records that the invoice was paid after all. VAT claimed for it must be repaid to HMRC (VAT Notice 700/18). */
export async function reverseWriteOff({ clock }: AppDeps, tx: Tx, { companyId, invoiceId, paidAt }: DebtRecovery): Promise<void> {
  const at = clock.now();
  const isThisInvoice = and(
    eq(invoiceWriteOffs.companyId, companyId),
    eq(invoiceWriteOffs.invoiceId, invoiceId),
    eq(invoiceWriteOffs.status, 'written_off'),
  );
  const reversedOn = toLondonDate(paidAt);
  const [row] = await tx.update(invoiceWriteOffs).set({ status: 'reversed', reversedOn, updatedAt: at }).where(isThisInvoice).returning();
  if (!row) return;
  const change = {
    before: { status: 'written_off' },
    after: { status: row.status, reversed_on: reversedOn, amount_pence: row.amountPence },
  };
  await recordAudit(tx, { companyId, at, actor: 'stripe', action: 'write_off.reversed', subject: row.id, ...change });
}
