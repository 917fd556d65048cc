/** The audit trail: who did what to what, from where, chained by hashes per company, in the transaction of the change itself. */
import { createHash } from 'node:crypto';
import type { Tx } from '@portal/db/database.ts';
import { auditEntries, auditHeads } from '@portal/db/schema/schema.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { eq } from 'drizzle-orm';

/** Entries that belong to no company (sign-ins) hang on the nil company. */
export const NO_COMPANY = '00000000-0000-0000-0000-000000000000';

export type AuditFacts = {
  readonly companyId: string;
  readonly at: Instant;
  /** A user's id, "rules" or "bank" or "hmrc" where nobody pressed anything. */
  readonly actor: string;
  /** "return.filed", "advance.accepted". */
  readonly action: string;
  /** What it was done to: an id. */
  readonly subject: string;
  readonly before?: unknown;
  readonly after?: unknown;
  readonly ip?: string;
};

/** Appends one entry. The head's row lock orders the writers of one company, and only of that one. */
export async function recordAudit(tx: Tx, facts: AuditFacts): Promise<void> {
  await tx.insert(auditHeads).values({ companyId: facts.companyId, sequence: 0, hash: '' }).onConflictDoNothing();
  const [head] = await tx.select().from(auditHeads).where(eq(auditHeads.companyId, facts.companyId)).for('update');
  const previousHash = head?.hash ?? '';
  const sequence = (head?.sequence ?? 0) + 1;
  const entry = { ...facts, before: facts.before ?? null, after: facts.after ?? null, ip: facts.ip ?? '', sequence, previousHash };
  const hash = hashEntry(entry);
  await tx.insert(auditEntries).values({ ...entry, hash });
  await tx.update(auditHeads).set({ sequence, hash }).where(eq(auditHeads.companyId, facts.companyId));
}

/** The hash over everything an entry says and the hash before it; whoever re-computes the chain sees any change. */
export function hashEntry(entry: Omit<typeof auditEntries.$inferSelect, 'hash'>): string {
  const { companyId, sequence, at, actor, action, subject, before, after, ip, previousHash } = entry;
  const text = canonicalJson([companyId, sequence, at, actor, action, subject, before, after, ip, previousHash]);
  return createHash('sha256').update(text).digest('hex');
}

/** JSON with sorted keys: the database keeps jsonb in its own key order, and the hash must not depend on it. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}
