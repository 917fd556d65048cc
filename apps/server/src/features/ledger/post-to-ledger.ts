/** Writes postings: append-only, each idempotency key once. The database rejects a posting that does not sum to zero. */
import { randomUUID } from 'node:crypto';
import type { Tx } from '@portal/db/database.ts';
import { ledgerLines, ledgerPostings } from '@portal/db/schema/schema.ts';
import { toLondonDate, type Instant } from '@portal/domain/clock.ts';
import type { LedgerLine } from '@portal/domain/ledger/ledger.ts';

export type Posting = {
  readonly companyId: string;
  /** For example "payout:ID". Each key is posted once. */
  readonly idempotencyKey: string;
  readonly description: string;
  readonly postedAt: Instant;
  readonly lines: readonly LedgerLine[];
};

/**
 * Throws if the key has been posted before, which rolls back the caller's transaction. Every caller checks under a lock that its event is
 * new, so a repeated key means that the key isn't specific enough, and ignoring it would leave the second event's money out of the ledger.
 */
export async function postToLedger(tx: Tx, posting: Posting): Promise<void> {
  const id = randomUUID();
  const { lines, ...rest } = posting;
  const insertedPostings = await tx
    .insert(ledgerPostings)
    .values({ ...rest, id, onDate: toLondonDate(posting.postedAt) })
    .onConflictDoNothing()
    .returning({ id: ledgerPostings.id });
  if (insertedPostings.length === 0) throw new Error(`the ledger already has the posting ${posting.idempotencyKey}`);
  await tx
    .insert(ledgerLines)
    .values(lines.map(({ account, amount }) => ({ companyId: posting.companyId, postingId: id, account, amountPence: amount })));
}
