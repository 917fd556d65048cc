/**
 * Finds refunds that HMRC's latest figures suggest will fall short, before or without a credit. Runs after each HMRC read that a user
 * triggers. Doesn't claim the amount: the figures only suggest a shortfall, so an operator decides.
 */
import { advances } from '@portal/db/schema/schema.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { and, eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { lockAdvance, lockCompany } from '../advances/transition-advance.ts';
import { inferShortfallCause } from './infer-shortfall-cause.ts';
import { sendSuspicionLetter } from './shortfall-letters.ts';
import { watchShortfall } from './sync-shortfall.ts';

export async function detectShortfalls(deps: AppDeps, companyId: string): Promise<void> {
  const { db } = deps.database;
  const awaitingAdvances = await db
    .select({ id: advances.id })
    .from(advances)
    .where(and(eq(advances.companyId, companyId), eq(advances.state, 'awaiting_hmrc')));
  for (const { id } of awaitingAdvances) {
    await db.transaction(async (tx) => {
      await lockCompany(tx, companyId);
      const advance = await lockAdvance(tx, companyId, id);
      if (advance?.state !== 'awaiting_hmrc') return;
      const inferredCause = await inferShortfallCause(tx, advance);
      if (!inferredCause) return;
      const { cause, text, missing } = inferredCause;
      const context = { actor: 'hmrc', at: deps.clock.now() };
      const causeText = missing > 0 ? `${text} There seems to be a shortfall of ${formatPounds(missing)}.` : text;
      const watchedShortfall = await watchShortfall(deps, tx, advance, context, { cause, causeText, suspected: missing });
      // A repayment on its way to us looks the same as one that went elsewhere, so we don't send the trader a letter yet.
      if (watchedShortfall && cause !== 'cleared') await sendSuspicionLetter(deps, tx, advance, watchedShortfall);
    });
  }
}
