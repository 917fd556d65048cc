/** Returns the newest advance of a company for the dashboard, with one prepared statement that selects only the needed columns. */
import type { DashboardOutput } from '@portal/contract/dashboard.ts';
import { advanceTransitions, advances, bankAccounts, creditAllocations, payouts, shortfalls } from '@portal/db/schema/schema.ts';
import type { AdvanceState } from '@portal/domain/advances/advance-states.ts';
import { areFactsStale } from '@portal/domain/advances/payout-gate.ts';
import type { Instant } from '@portal/domain/clock.ts';
import { pence, ZERO } from '@portal/domain/money.ts';
import type { ShortfallCause } from '@portal/domain/shortfalls/infer-cause.ts';
import { asc, desc, eq, isNull, sql } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { loadNettedAmount } from '../advances/get-advance.ts';
import { getAdvanceStatus } from '../advances/advance-status.ts';

export type NewestAdvance = NonNullable<DashboardOutput['advance']> & {
  /** The trader must still confirm that HMRC has the collection account. */
  readonly needsConfirmation: boolean;
  /** HMRC's figures are too old to base a payout on. */
  readonly needsFacts: boolean;
  readonly validUntil: Instant;
  /** The reason why HMRC may repay late or in part, while nothing is owed yet. */
  readonly warning: ShortfallCause | null;
};

export function prepareNewestAdvance(deps: AppDeps): (companyId: string) => Promise<NewestAdvance | undefined> {
  const statement = deps.database.db.query.advances
    .findFirst({
      where: eq(advances.companyId, sql.placeholder('companyId')),
      orderBy: [desc(advances.quotedAt), desc(advances.updatedAt)],
      columns: {
        id: true,
        companyId: true,
        agreementVersion: true,
        obligationId: true,
        state: true,
        refundPence: true,
        feePence: true,
        netPence: true,
        version: true,
        eligible: true,
        rules: true,
        quotedAt: true,
        validUntil: true,
        acceptedAt: true,
        collectionConfirmedAt: true,
        foundOn: true,
        factsReadAt: true,
        payoutHold: true,
        repaymentDays: true,
        mandateRequired: true,
      },
      // A trader who has never had money from us can't owe us any, so deductions needn't be read.
      extras: {
        hasHadMoney: sql<boolean>`exists (select 1 from ledger_lines l where l.company_id = ${advances.companyId})`.as('has_had_money'),
      },
      with: {
        filing: { columns: { sentAt: true } },
        collectionAccount: { columns: { companyId: true } },
        transitions: { columns: { fromState: true, toState: true, actor: true, at: true }, orderBy: asc(advanceTransitions.sequence) },
        payouts: { columns: { status: true, amountPence: true }, orderBy: asc(payouts.round) },
        releases: {
          columns: { round: true, operatorId: true, amountPence: true, quoteVersion: true, bankAccountId: true, releasedAt: true },
        },
        allocations: { columns: { amountPence: true }, where: isNull(creditAllocations.reversedAt) },
        bankAccounts: { columns: { id: true, createdAt: true, accountSince: true }, orderBy: asc(bankAccounts.createdAt) },
        mandates: { columns: { status: true } },
        shortfalls: { columns: { cause: true }, where: eq(shortfalls.status, 'watching') },
      },
    })
    .prepare('newest_advance');
  return async (companyId) => {
    const record = await statement.execute({ companyId });
    if (!record) return undefined;
    const row = { ...record, state: record.state as AdvanceState };
    const netted = row.hasHadMoney ? await loadNettedAmount(deps.database.db, row, row.payouts.at(-1)) : ZERO;
    const status = getAdvanceStatus(row, deps.clock.now(), netted);
    return {
      advance_id: row.id,
      obligation_id: row.obligationId,
      state: row.state,
      refund_pence: row.refundPence,
      fee_pence: row.feePence,
      net_pence: pence(row.netPence - netted),
      eligible: row.eligible,
      timeline: status.timeline,
      validUntil: row.validUntil,
      warning: row.shortfalls[0]?.cause ?? null,
      needsConfirmation: row.acceptedAt !== null && row.collectionAccount !== null && row.collectionConfirmedAt === null,
      needsFacts: row.state === 'approved' && areFactsStale(row.factsReadAt, status.terms, deps.clock.now()),
    };
  };
}
