import type { Tx } from '@portal/db/database.ts';
import { advances } from '@portal/db/schema/schema.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { and, eq } from '@portal/db/sql.ts';
import { lockAdvance, transitionAdvance } from './transition-advance.ts';

/** Withdraws a company's offers that haven't been accepted. The caller holds the company's lock. */
export async function withdrawOffers(
  tx: Tx,
  companyId: string,
  context: { actor: string; at: Instant; ip: string },
  reason: string,
): Promise<void> {
  const offers = await tx
    .select({ id: advances.id })
    .from(advances)
    .where(and(eq(advances.companyId, companyId), eq(advances.state, 'quoted')));
  for (const { id } of offers) {
    const offer = await lockAdvance(tx, companyId, id);
    if (offer?.state === 'quoted') await transitionAdvance(tx, offer, 'withdrawn', context, reason);
  }
}
