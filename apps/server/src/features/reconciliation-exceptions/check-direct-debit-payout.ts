/** Records who checked whether a payout is on the bank statement, and when. A difference remains an exception. */
import type { reconciliationExceptionsApi } from '@portal/contract/reconciliation-exceptions.ts';
import { directDebitPayouts } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { Call } from '../../http/serve-contract.ts';
import { NO_COMPANY, recordAudit } from '../audit/record-audit.ts';

export async function checkDirectDebitPayout(
  deps: AppDeps,
  { input, actor, caller }: Call<(typeof reconciliationExceptionsApi)['checkDirectDebitPayout']>,
): Promise<{ done: true }> {
  const { payout_id: id, statement_pence: statementPence, statement_on: statementOn } = input;
  const at = deps.clock.now();
  await deps.database.db.transaction(async (tx) => {
    const [payout] = await tx.select().from(directDebitPayouts).where(eq(directDebitPayouts.id, id)).for('update');
    if (!payout) throw createNotFoundError();
    const previousCheck = { statement_pence: payout.statementPence, statement_on: payout.statementOn, checked_by: payout.checkedBy };
    if (previousCheck.statement_pence === statementPence && previousCheck.statement_on === statementOn) return;
    if (payout.status !== 'paid') {
      throw new AppError('conflict', 'payout.not_paid', 'GoCardless hasn’t paid this out, or our bank sent it back. Reload the page.');
    }
    if (statementOn > deps.clock.today()) {
      throw new AppError('impossible', 'payout.future_day', 'Enter the date on the bank statement, today or earlier.', {
        field: 'statement_on',
      });
    }
    if (previousCheck.statement_pence === payout.netPence) {
      throw new AppError('conflict', 'payout.checked', 'This payout has already been found on the bank statement. Reload the page.');
    }
    await tx
      .update(directDebitPayouts)
      .set({ statementPence, statementOn, checkedBy: actor.userId, checkedAt: at })
      .where(eq(directDebitPayouts.id, id));
    await recordAudit(tx, {
      companyId: NO_COMPANY,
      at,
      actor: actor.userId,
      action: 'direct_debit_payout.checked',
      subject: id,
      before: previousCheck,
      after: { statement_pence: statementPence, statement_on: statementOn, net_pence: payout.netPence },
      ip: caller.ip,
    });
  });
  return { done: true };
}
