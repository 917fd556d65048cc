import { ledgerPostings } from '@portal/db/schema/schema.ts';
import { openTestDatabase } from '@portal/db/testing/open-test-database.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { postCredit } from '@portal/domain/ledger/ledger.ts';
import { pence } from '@portal/domain/money.ts';
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { postToLedger, type Posting } from './post-to-ledger.ts';

it('rejects a posting whose key was used, and rolls back that transaction', async () => {
  const database = await openTestDatabase();
  try {
    const createPosting = (idempotencyKey: string, amount: number): Posting => ({
      companyId,
      idempotencyKey,
      description: 'Credit',
      postedAt: '2026-11-23T10:00:00.000Z' as Instant,
      lines: postCredit(pence(amount)),
    });
    const companyId = randomUUID();
    await database.db.transaction((tx) => postToLedger(tx, createPosting('credit:1', 500)));
    const repeatedTransaction = database.db.transaction(async (tx) => {
      await postToLedger(tx, createPosting('credit:2', 700));
      await postToLedger(tx, createPosting('credit:1', 900));
    });
    await expect(repeatedTransaction).rejects.toThrow('credit:1');
    const keys = await database.db.select({ key: ledgerPostings.idempotencyKey }).from(ledgerPostings);
    expect(keys).toEqual([{ key: 'credit:1' }]);
  } finally {
    await database.close();
  }
});
