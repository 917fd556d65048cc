import { advances } from '@portal/db/schema/schema.ts';
import { STATES_BEFORE_PAYOUT } from '@portal/domain/advances/advance-states.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { and, eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { ActingUser } from '../hmrc-connection/with-trader-access-token.ts';
import { lockAdvance } from './transition-advance.ts';

/** Withdraws the trader's statement that HMRC has the account. Only the payout needs the statement, so afterwards it stays on record. */
export async function revokeCollectionAccount(deps: AppDeps, user: ActingUser, companyId: string, advanceId: string): Promise<void> {
  await deps.database.db.transaction(async (tx) => {
    const advance = await lockAdvance(tx, companyId, advanceId);
    if (!advance) throw createNotFoundError();
    if (advance.collectionConfirmedAt === null) return;
    if (!STATES_BEFORE_PAYOUT.includes(advance.state)) {
      throw new AppError(
        'conflict',
        'advance.wrong_state',
        'We’ve already sent the payment. If HMRC doesn’t have your collection account details yet, give them to HMRC now, or contact us.',
      );
    }
    const at = deps.clock.now();
    await tx
      .update(advances)
      .set({ collectionConfirmedAt: null, updatedAt: at })
      .where(and(eq(advances.companyId, companyId), eq(advances.id, advanceId)));
    await recordAudit(tx, {
      companyId,
      at,
      actor: user.actor.userId,
      action: 'advance.collection_account_revoked',
      subject: advanceId,
      before: { confirmed_at: advance.collectionConfirmedAt },
      ip: user.caller.ip,
    });
  });
}
