/**
 * Balances that a practice enters from a client's records, shown beside HMRC's figures. They are stored as entered and never presented as
 * HMRC's.
 */
import { randomUUID } from 'node:crypto';
import type { BooksBalance, clientDashboardApi } from '@portal/contract/client-dashboard.ts';
import type { Db } from '@portal/db/database.ts';
import { clientBookBalances, taxPositions, users } from '@portal/db/schema/schema.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { pence } from '@portal/domain/money.ts';
import { and, asc, desc, eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Call } from '../../http/serve-contract.ts';
import { recordAudit } from '../audit/record-audit.ts';

export async function listBookBalances(db: Db, companyId: string, clientId: string): Promise<BooksBalance[]> {
  const rows = await db
    .selectDistinctOn([clientBookBalances.tax], { balance: clientBookBalances, enteredBy: users.fullName, position: taxPositions })
    .from(clientBookBalances)
    .innerJoin(users, eq(users.id, clientBookBalances.enteredBy))
    .leftJoin(
      taxPositions,
      and(
        eq(taxPositions.companyId, clientBookBalances.companyId),
        eq(taxPositions.clientId, clientBookBalances.clientId),
        eq(taxPositions.tax, clientBookBalances.tax),
      ),
    )
    .where(and(eq(clientBookBalances.companyId, companyId), eq(clientBookBalances.clientId, clientId)))
    .orderBy(asc(clientBookBalances.tax), desc(clientBookBalances.enteredAt), desc(clientBookBalances.id));
  return rows.map(({ balance, enteredBy, position }) => {
    // Compare only figures from HMRC or an HMRC statement. A position computed from filing dates has no amount.
    const hasHmrcFigure = position !== null && (position.source === 'hmrc' || position.source === 'statement');
    const hmrc = hasHmrcFigure ? pence(position.owedPence - position.refundPence) : null;
    return {
      tax: balance.tax,
      balance_pence: balance.balancePence,
      on_date: balance.onDate,
      entered_by: enteredBy,
      entered_at: balance.enteredAt,
      hmrc_pence: hmrc,
      hmrc_as_of: hasHmrcFigure ? position.asOf : null,
      difference_pence: hmrc === null ? null : pence(balance.balancePence - hmrc),
    };
  });
}

export async function recordBookBalance(
  deps: AppDeps,
  { input, tenant, actor, caller }: Call<typeof clientDashboardApi.addBooksBalance>,
): Promise<{ done: true }> {
  const { practiceId: companyId, clientId } = tenant;
  const { tax, balance_pence: balancePence, on_date: onDate } = input;
  if (onDate > deps.clock.today()) {
    throw new AppError('invalid', 'input.invalid', 'The date can’t be in the future. Enter today or an earlier date.', {
      field: 'on_date',
    });
  }
  const at = deps.clock.now();
  await deps.database.db.transaction(async (tx) => {
    const balance = { tax, balancePence, onDate };
    await tx
      .insert(clientBookBalances)
      .values({ companyId, clientId, id: randomUUID(), ...balance, enteredBy: actor.userId, enteredAt: at });
    const after = { tax, balance_pence: balancePence, on_date: onDate };
    await recordAudit(tx, {
      companyId,
      at,
      actor: actor.userId,
      action: 'client.balance_entered',
      subject: clientId,
      after,
      ip: caller.ip,
    });
  });
  return { done: true };
}
