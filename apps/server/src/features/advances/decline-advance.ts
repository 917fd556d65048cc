import type { Tx } from '@portal/db/database.ts';
import type { AppDeps } from '../../app-deps.ts';
import { enqueueDeclinedEmail } from './advance-emails.ts';
import { transitionAdvance, type AdvanceRow, type TransitionContext } from './transition-advance.ts';

/** Declines a locked advance before any payout and emails the owners, who may have given HMRC the collection account already. */
export async function declineAdvance(
  deps: AppDeps,
  tx: Tx,
  advance: AdvanceRow,
  context: TransitionContext,
  reason: string,
): Promise<void> {
  await enqueueDeclinedEmail(deps, tx, await transitionAdvance(tx, advance, 'declined', context, reason));
}
