/** Writes postings: append-only and once for each idempotency key. The database rejects a posting that does not sum to zero. */
import { randomUUID } from 'node:crypto';
import type { Tx } from '@portal/db/database.ts';
import { ledgerLines, ledgerPostings } from '@portal/db/schema/schema.ts';
import { londonDate, type Instant } from '@portal/domain/clock.ts';
import type { LedgerLine } from '@portal/domain/ledger/ledger.ts';

export type Posting = {
  readonly companyId: string;
  /** For example "payout:ID". A second posting with the same key changes nothing. */
  readonly idempotencyKey: string;
  readonly description: string;
  readonly postedAt: Instant;
  readonly lines: readonly LedgerLine[];
};

/** Returns whether the posting is new. */
export async function postToLedger(tx: Tx, posting: Posting): Promise<boolean> {
  const id = randomUUID();
  const { lines, ...rest } = posting;
  const inserted = await tx
    .insert(ledgerPostings)
    .values({ ...rest, id, onDate: londonDate(posting.postedAt) })
    .onConflictDoNothing()
    .returning({ id: ledgerPostings.id });
  if (inserted.length === 0) return false;
  await tx
    .insert(ledgerLines)
    .values(lines.map(({ account, amount }) => ({ companyId: posting.companyId, postingId: id, account, amountPence: amount })));
  return true;
}
