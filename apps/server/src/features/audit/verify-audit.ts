/** Checks the audit trail: every chain from its first entry, its head, and the heads written outside the database. */
import type { Db, Tx } from '@portal/db/database.ts';
import { auditEntries, auditHeads } from '@portal/db/schema/schema.ts';
import { and, asc, eq, gt } from '@portal/db/sql.ts';
import type { WrittenHead } from './audit-heads.ts';
import { digestValues, hashEntry } from './record-audit.ts';

const PAGE_SIZE = 1_000;

type AuditEntry = typeof auditEntries.$inferSelect;

export type AuditProblem = { readonly companyId: string; readonly sequence: number; readonly problem: string };

export type AuditReport = {
  readonly chains: number;
  readonly entries: number;
  /** The number of entries whose values were erased. They still count in the chain. */
  readonly erased: number;
  readonly problems: readonly AuditProblem[];
};

/**
 * `writtenHeads` contains the heads read from files outside the database. Reads one snapshot, so that concurrent writes aren't mistaken for
 * tampering.
 */
export function verifyAudit(db: Db, writtenHeads: readonly WrittenHead[] = []): Promise<AuditReport> {
  return db.transaction((tx) => verifySnapshot(tx, writtenHeads), { isolationLevel: 'repeatable read', accessMode: 'read only' });
}

async function verifySnapshot(db: Tx, writtenHeads: readonly WrittenHead[]): Promise<AuditReport> {
  const heads = await db.select().from(auditHeads).orderBy(asc(auditHeads.companyId));
  const headByCompany = new Map(heads.map((head) => [head.companyId, head]));
  const writtenByCompany = Map.groupBy(writtenHeads, ({ company_id: companyId }) => companyId);
  const chainedCompanies = await db.selectDistinct({ companyId: auditEntries.companyId }).from(auditEntries);
  const companyIds = new Set([...heads, ...chainedCompanies].map(({ companyId }) => companyId).concat(...writtenByCompany.keys()));
  let [entries, erasedCount] = [0, 0];
  const problems: AuditProblem[] = [];
  for (const companyId of companyIds) {
    const head = headByCompany.get(companyId);
    const chain = await verifyChain(db, companyId, writtenByCompany.get(companyId) ?? []);
    entries += chain.length;
    erasedCount += chain.erased;
    problems.push(...chain.problems);
    if (head?.sequence !== chain.length || head.hash !== chain.lastHash)
      problems.push({ companyId, sequence: chain.length, problem: 'the chain doesn’t end with the hash of its head' });
  }
  return { chains: companyIds.size, entries, erased: erasedCount, problems };
}

async function verifyChain(db: Tx, companyId: string, writtenHeads: readonly WrittenHead[]) {
  const writtenHashes = Map.groupBy(writtenHeads, ({ sequence }) => sequence);
  const problems: AuditProblem[] = [];
  let [length, lastHash, erasedCount] = [0, '', 0];
  for await (const entry of listEntries(db, companyId)) {
    const add = (problem: string): void => void problems.push({ companyId, sequence: entry.sequence, problem });
    if (entry.sequence !== length + 1) add(`entry ${length + 1} is missing`);
    if (entry.previousHash !== lastHash) add('doesn’t follow the previous entry');
    if (hashEntry(entry) !== entry.hash) add('was changed: its hash doesn’t match');
    if (isErased(entry)) erasedCount += 1;
    else if (entry.valuesDigest !== null && digestValues(entry) !== entry.valuesDigest)
      add('had its values changed: their digest doesn’t match');
    for (const { hash, read_at: readAt } of writtenHashes.get(entry.sequence) ?? [])
      if (hash !== entry.hash) add(`isn’t the entry that the chain had at ${readAt}`);
    [length, lastHash] = [entry.sequence, entry.hash];
  }
  for (const { sequence, read_at: readAt } of writtenHeads)
    if (sequence > length) problems.push({ companyId, sequence, problem: `is missing: the chain had it at ${readAt}` });
  return { length, lastHash, erased: erasedCount, problems };
}

function isErased({ valuesDigest, salt }: AuditEntry): boolean {
  return valuesDigest !== null && salt === null;
}

async function* listEntries(db: Tx, companyId: string): AsyncGenerator<AuditEntry> {
  for (let afterSequence = 0; ;) {
    const page = await db
      .select()
      .from(auditEntries)
      .where(and(eq(auditEntries.companyId, companyId), gt(auditEntries.sequence, afterSequence)))
      .orderBy(asc(auditEntries.sequence))
      .limit(PAGE_SIZE);
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE_SIZE) return;
    afterSequence = last.sequence;
  }
}
