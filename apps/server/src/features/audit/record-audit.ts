/**
 * The audit trail: who did what, to which record, and from which IP address. A company's entries are chained by hashes and written in the
 * same transaction as the change.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { Tx } from '@portal/db/database.ts';
import { auditEntries, auditHeads } from '@portal/db/schema/schema.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { eq, sql } from '@portal/db/sql.ts';
import { recordAuditedWebhook } from '../webhooks/record-webhook.ts';
import { getRequestScope } from '../../observability/request-scope.ts';

/** The company ID for entries that don't belong to a company, such as sign-ins. */
export const NO_COMPANY = '00000000-0000-0000-0000-000000000000';

export type AuditEntryInput = {
  readonly companyId: string;
  readonly at: Instant;
  /** A user's ID, or "rules", "bank" or "hmrc" for automatic changes. */
  readonly actor: string;
  /** For example "return.filed" or "advance.accepted". */
  readonly action: string;
  /** The ID of the changed record. */
  readonly subject: string;
  readonly before?: unknown;
  readonly after?: unknown;
  readonly ip?: string;
};

/** Appends one entry. Because of the lock on the head row, writers wait only for others in the same company. */
export async function recordAudit(tx: Tx, input: AuditEntryInput): Promise<void> {
  // As stored by PostgreSQL, because the hash covers it.
  const companyId = input.companyId.toLowerCase();
  const head = (await lockHead(tx, companyId)) ?? (await insertHead(tx, companyId));
  const previousHash = head.hash;
  const sequence = head.sequence + 1;
  const values = {
    before: input.before ?? null,
    after: nameCredential(input.after ?? null),
    ip: input.ip ?? '',
    salt: randomBytes(16).toString('base64url'),
  };
  const entry = { ...input, companyId, ...values, valuesDigest: digestValues(values), sequence, previousHash };
  const hash = hashEntry(entry);
  await tx.insert(auditEntries).values({ ...entry, hash });
  await recordAuditedWebhook(tx, input);
  await tx
    .update(auditHeads)
    .set({ sequence, hash, changedAt: sql`now()` })
    .where(eq(auditHeads.companyId, companyId));
}

/** Adds the API key, or the user's consent, to an entry made by the user's app. */
function nameCredential(after: unknown): unknown {
  const credential = getRequestScope()?.credential;
  if (credential === undefined || Array.isArray(after) || (typeof after !== 'object' && after !== null)) return after;
  return { ...after, [`${credential.kind}_id`]: credential.id };
}

async function lockHead(tx: Tx, companyId: string): Promise<typeof auditHeads.$inferSelect | undefined> {
  const [head] = await tx.select().from(auditHeads).where(eq(auditHeads.companyId, companyId)).for('update');
  return head;
}

/** Inserts the head with the company's first entry. Of two concurrent writers, the second waits for the first and continues its chain. */
async function insertHead(tx: Tx, companyId: string): Promise<typeof auditHeads.$inferSelect> {
  const first = { companyId, sequence: 0, hash: '', changedAt: null };
  await tx.insert(auditHeads).values(first).onConflictDoNothing();
  return (await lockHead(tx, companyId)) ?? first;
}

type AuditEntry = typeof auditEntries.$inferSelect;

/** Returns the digest of the erasable values, with their salt. */
export function digestValues({ salt, before, after, ip }: Pick<AuditEntry, 'salt' | 'before' | 'after' | 'ip'>): string {
  return createHash('sha256')
    .update(toCanonicalJson([salt, before, after, ip]))
    .digest('hex');
}

/** Hashes the entry with the previous hash. Recomputing the chain reveals any change except the erasure of values. */
export function hashEntry(entry: Omit<AuditEntry, 'hash'>): string {
  const { companyId, sequence, at, actor, action, subject, before, after, ip, valuesDigest, previousHash } = entry;
  const values = valuesDigest === null ? [before, after, ip] : [valuesDigest];
  const canonicalJson = toCanonicalJson([companyId, sequence, at, actor, action, subject, ...values, previousHash]);
  return createHash('sha256').update(canonicalJson).digest('hex');
}

/** Returns JSON with sorted keys, because the hash must not depend on the key order in which the database stores jsonb. */
function toCanonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toCanonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${toCanonicalJson(member)}`);
  return `{${members.join(',')}}`;
}
