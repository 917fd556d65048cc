/** A trader's options in a shortfall: agree to instalments, or dispute it. */
import type { Tx } from '@portal/db/database.ts';
import { companies, shortfallInstalments, shortfalls } from '@portal/db/schema/schema.ts';
import { isLimitedLiability } from '@portal/domain/advances/evaluate-eligibility.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { formatPounds, pence } from '@portal/domain/money.ts';
import { planInstalments } from '@portal/domain/shortfalls/instalment-plan.ts';
import { and, eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { createNotFoundError } from '../../http/policies.ts';
import type { ActingUser } from '../hmrc-connection/with-trader-access-token.ts';
import { lockAdvance, lockCompany, type AdvanceRow, type TransitionContext } from '../advances/transition-advance.ts';
import { cancelSuperfluousDirectDebit } from './cancel-direct-debit.ts';
import { sendDisputeReceived, sendPlan } from './shortfall-letters.ts';
import { changeShortfall, getOwedAmount, isThisShortfall, lockShortfall, type ShortfallRow } from './shortfall-record.ts';
import { transitionByBalance } from './sync-shortfall.ts';

export type ShortfallInput = { readonly companyId: string; readonly shortfallId: string };

type LockedCase = { readonly advance: AdvanceRow; readonly shortfall: ShortfallRow };

/** Locks the company, the advance and the case, in the same order as everywhere else. */
export async function lockCase(tx: Tx, { companyId, shortfallId }: ShortfallInput): Promise<LockedCase> {
  await lockCompany(tx, companyId);
  const [foundShortfall] = await tx
    .select({ advanceId: shortfalls.advanceId })
    .from(shortfalls)
    .where(isThisShortfall({ companyId, id: shortfallId }));
  const advance = foundShortfall && (await lockAdvance(tx, companyId, foundShortfall.advanceId));
  const shortfall = await lockShortfall(tx, { companyId, id: shortfallId });
  if (!advance || !shortfall) throw createNotFoundError();
  return { advance, shortfall };
}

const toContext = (deps: AppDeps, { actor, caller }: ActingUser): TransitionContext => ({
  actor: actor.userId,
  at: deps.clock.now(),
  ip: caller.ip,
});

export function agreeOnPlan(deps: AppDeps, user: ActingUser, input: ShortfallInput & { readonly count: number }): Promise<void> {
  return deps.database.db.transaction(async (tx) => {
    const { advance, shortfall } = await lockCase(tx, input);
    if (shortfall.status !== 'due' || shortfall.dueOn === null) throw createWrongStatusError(shortfall);
    if (shortfall.planStartedFromPence !== null) {
      throw new AppError(
        'conflict',
        'shortfall.has_plan',
        'You’re already paying in instalments. Contact us if you can’t keep up with them.',
      );
    }
    if (!(await mayPayInInstalments(tx, input.companyId))) {
      throw new AppError(
        'forbidden',
        'shortfall.no_plan',
        'Only limited companies and LLPs can pay in instalments. Contact us if you can’t pay.',
      );
    }
    const owedAmount = await getOwedAmount(tx, advance);
    const today = deps.clock.today();
    const instalments = planInstalments(owedAmount, input.count, shortfall.dueOn > today ? shortfall.dueOn : today);
    const { companyId, id: shortfallId } = shortfall;
    await tx
      .delete(shortfallInstalments)
      .where(and(eq(shortfallInstalments.companyId, companyId), eq(shortfallInstalments.shortfallId, shortfallId)));
    await tx
      .insert(shortfallInstalments)
      .values(instalments.map(({ number, dueOn, amount }) => ({ companyId, shortfallId, number, dueOn, amountPence: amount })));
    const context = toContext(deps, user);
    const explanation = `Agreed to pay ${formatPounds(owedAmount)} in ${input.count} instalments without interest.`;
    const planStartedFromPence = pence(advance.refundPence - owedAmount);
    const row = await changeShortfall(tx, shortfall, { planStartedFromPence }, context, 'plan_agreed', explanation);
    await transitionByBalance(tx, advance, context, explanation);
    // A Direct Debit for the whole amount is no longer right; the sweep creates one for each instalment.
    await cancelSuperfluousDirectDebit(deps, tx, row, instalments[0]?.amount ?? 0);
    await sendPlan(deps, tx, advance, row, instalments);
  });
}

export function disputeShortfall(deps: AppDeps, user: ActingUser, input: ShortfallInput & { readonly reason: string }): Promise<void> {
  return deps.database.db.transaction(async (tx) => {
    const { advance, shortfall } = await lockCase(tx, input);
    if (shortfall.status === 'disputed') return;
    if (shortfall.status !== 'due') throw createWrongStatusError(shortfall);
    const context = toContext(deps, user);
    const changes = { status: 'disputed', disputeReason: input.reason, disputedAt: context.at } as const;
    const row = await changeShortfall(tx, shortfall, changes, context, 'disputed', `Disputed: ${input.reason}`);
    await cancelSuperfluousDirectDebit(deps, tx, row, 0);
    await sendDisputeReceived(deps, tx, advance, row);
  });
}

/**
 * Credit to anyone other than a company or LLP would be regulated (domain/shortfalls/instalment-plan.ts). An unknown type counts as
 * neither.
 */
export async function mayPayInInstalments(tx: Pick<Tx, 'select'>, companyId: string): Promise<boolean> {
  const [company] = await tx.select({ register: companies.register }).from(companies).where(eq(companies.id, companyId));
  return company?.register ? isLimitedLiability(company.register.type) : false;
}

function createWrongStatusError({ status }: ShortfallRow): AppError {
  return new AppError(
    'conflict',
    'shortfall.wrong_status',
    `You can’t do that any more: this case is ${status.replaceAll('_', ' ')}. Reload the page.`,
  );
}
