/**
 * Erases the values in audit entries about a person or a company, for an administrator with the rights of the database's owner. The chains
 * stay intact, because an entry's hash covers only the digest of its values.
 */
import type { Db, Tx } from '@portal/db/database.ts';
import { auditEntries, closedAccounts, companies } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { toLondonDate, type Clock, type Instant } from '@portal/domain/clock.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { getDeletionDay } from '@portal/domain/retention/retention-periods.ts';
import { and, eq, isNotNull, isNull, or, sql } from '@portal/db/sql.ts';
import { NO_COMPANY, recordAudit } from './record-audit.ts';

export type AuditErasure = {
  readonly kind: 'person' | 'company';
  readonly id: string;
  /** Why the values may be erased while the law or a possible dispute still requires them; undefined to keep them until then. */
  readonly earlyBecause: string | undefined;
};

export type ErasedAudit = {
  readonly erased: number;
  /** The number of entries written before values had their own digest. */
  readonly notErasable: number;
};

export function eraseAuditValues(db: Db, clock: Clock, erasure: AuditErasure): Promise<ErasedAudit> {
  return db.transaction(async (tx) => {
    const closedAt = await findClosedAt(tx, erasure);
    if (erasure.earlyBecause === undefined) assertIsTime(clock, erasure, closedAt);
    const matchesErasure = toCondition(erasure);
    const erasedEntries = await tx
      .update(auditEntries)
      .set({ before: null, after: null, ip: '', salt: null })
      .where(and(matchesErasure, isNotNull(auditEntries.salt), isNotNull(auditEntries.valuesDigest)))
      .returning({ sequence: auditEntries.sequence });
    const [remainingEntries] = await tx
      .select({ count: sql`count(*)`.mapWith(Number) })
      .from(auditEntries)
      .where(and(matchesErasure, isNull(auditEntries.valuesDigest)));
    await recordAudit(tx, {
      companyId: erasure.kind === 'company' ? erasure.id : NO_COMPANY,
      at: clock.now(),
      actor: 'administrator',
      action: 'audit.values_erased',
      subject: erasure.id,
      after: { entries: erasedEntries.length, early_because: erasure.earlyBecause ?? null },
    });
    return { erased: erasedEntries.length, notErasable: remainingEntries?.count ?? 0 };
  });
}

async function findClosedAt(tx: Tx, { kind, id }: AuditErasure): Promise<Instant | null> {
  const [row] =
    kind === 'person'
      ? await tx.select({ closedAt: closedAccounts.closedAt }).from(closedAccounts).where(eq(closedAccounts.userId, id))
      : await tx.select({ closedAt: companies.closedAt }).from(companies).where(eq(companies.id, id));
  return row?.closedAt ?? null;
}

function assertIsTime(clock: Clock, { kind, id }: AuditErasure, closedAt: Instant | null): void {
  const day = closedAt === null ? undefined : getDeletionDay('records', toLondonDate(closedAt));
  if (day !== undefined && day <= clock.today()) return;
  const retention = day === undefined ? 'no closed account has this ID' : `its values are kept until ${formatDate(day)}`;
  throw new AppError(
    'conflict',
    'audit.kept',
    `Nothing was erased for the ${kind} ${id}: ${retention}. To erase it early, give the reason with --early.`,
  );
}

function toCondition({ kind, id }: AuditErasure) {
  if (kind === 'company') return eq(auditEntries.companyId, id);
  return or(eq(auditEntries.actor, id), and(eq(auditEntries.companyId, NO_COMPANY), eq(auditEntries.subject, id)));
}
