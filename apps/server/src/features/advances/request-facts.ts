import type { Tx } from '@portal/db/database.ts';
import { advances } from '@portal/db/schema/schema.ts';
import { getAdvanceTerms } from '@portal/domain/advances/advance-terms.ts';
import { areFactsStale } from '@portal/domain/advances/payout-gate.ts';
import { toLondonDate } from '@portal/domain/clock.ts';
import { and, eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { enqueueReconfirmEmail } from './advance-emails.ts';
import type { AdvanceRow } from './transition-advance.ts';

/** Asks the owners once to confirm again when HMRC's figures have become too old to base a payout on. */
export async function requestReconfirmation(deps: AppDeps, tx: Tx, advance: AdvanceRow): Promise<void> {
  const now = deps.clock.now();
  const isStale = areFactsStale(advance.factsReadAt, getAdvanceTerms(toLondonDate(advance.quotedAt)), now);
  if (!isStale || advance.factsRequestedAt !== null || advance.collectionConfirmedAt === null) return;
  await tx
    .update(advances)
    .set({ factsRequestedAt: now })
    .where(and(eq(advances.companyId, advance.companyId), eq(advances.id, advance.id)));
  await enqueueReconfirmEmail(deps, tx, advance);
}
