/** Saves the accounts in the trader's books that the journals use. */
import { journalAccounts } from '@portal/db/schema/schema.ts';
import type { JournalAccountNames, JournalSoftware } from '@portal/domain/ledger/journal-files.ts';
import type { AppDeps } from '../../app-deps.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { ActingUser } from '../hmrc-connection/with-trader-access-token.ts';
import { getJournalAccounts } from './documents-queries.ts';

export async function saveJournalAccounts(
  deps: AppDeps,
  user: ActingUser,
  companyId: string,
  { software, accounts }: { readonly software: JournalSoftware; readonly accounts: JournalAccountNames },
): Promise<void> {
  const now = deps.clock.now();
  await deps.database.db.transaction(async (tx) => {
    const existing = await getJournalAccounts(tx, companyId, software);
    const changes = { accounts, updatedAt: now };
    await tx
      .insert(journalAccounts)
      .values({ companyId, software, ...changes })
      .onConflictDoUpdate({ target: [journalAccounts.companyId, journalAccounts.software], set: changes });
    await recordAudit(tx, {
      companyId,
      at: now,
      actor: user.actor.userId,
      action: 'journal_accounts.saved',
      subject: software,
      before: existing,
      after: accounts,
      ip: user.caller.ip,
    });
  });
}
