/** The last stages: payout, HMRC's repayment, a balanced ledger, and checks for duplicates. */
import { advancesApi, type AdvanceOutput } from '@portal/contract/advances.ts';
import { operatorsApi } from '@portal/contract/operators.ts';
import { formatPounds, pence } from '@portal/domain/money.ts';
import type { Caller } from './caller.ts';
import type { BankPayout } from './sandbox-client.ts';
import type { Sale } from './sell-refund.ts';
import type { Stages } from './stages.ts';
import { NotReachedError, waitUntil } from './wait-until.ts';

export async function waitForPayout(stages: Stages, { context, trader }: Sale): Promise<BankPayout> {
  return stages.run('payout', async () => {
    const payout = await waitUntil(async () => {
      const foundPayout = (await context.sandbox.listPayouts()).find(
        ({ account_number }) => account_number === trader.bankAccount.account_number,
      );
      if (foundPayout?.status === 'failed') throw new NotReachedError(`the bank payment failed: payout ${foundPayout.id}`);
      return foundPayout?.status === 'executed' ? foundPayout : undefined;
    }, 'the bank made no payout');
    return { figures: `${formatPounds(pence(payout.amount_pence))} paid by the bank, ${payout.id}`, value: payout };
  });
}

export async function settleAdvance(stages: Stages, sale: Sale): Promise<AdvanceOutput> {
  const { sandbox } = sale.context;
  const { vrn } = sale.trader.organisation;
  await stages.run('repayment', async () => {
    await waitForState(sale, 'awaiting_hmrc');
    const [claim] = await sandbox.listRepayments(vrn).then((all) => all.filter(({ stage }) => stage !== 'PAID'));
    if (!claim) throw new NotReachedError('the HMRC simulator has no repayment claim');
    await sandbox.payRepayment(vrn, claim.period_key);
    return { figures: `HMRC pays ${formatPounds(pence(claim.claimed_pence))}`, value: undefined };
  });
  return stages.run('settlement', async () => {
    const settledAdvance = await waitForState(sale, 'settled');
    const daysAhead = settledAdvance.working_days_ahead_of_hmrc;
    const figures = `received ${formatPounds(settledAdvance.received_pence)}, paid out after ${settledAdvance.hours_to_payout} h, ${daysAhead} working days ahead of HMRC`;
    return { figures, value: settledAdvance };
  });
}

function waitForState({ trader: { caller, companyId }, obligationId }: Sale, state: AdvanceOutput['state']): Promise<AdvanceOutput> {
  let lastSeen = 'there is no advance';
  return waitUntil(async () => {
    const { advance } = await caller.call(advancesApi.find, { company_id: companyId, obligation_id: obligationId });
    lastSeen = advance ? `it is ${advance.state}${advance.waiting_for === null ? '' : `: ${advance.waiting_for}`}` : lastSeen;
    return advance?.state === state ? advance : undefined;
  }, `the advance did not become ${state}`).catch((error: unknown) => {
    throw error instanceof NotReachedError ? new NotReachedError(`${error.message}; ${lastSeen}`) : error;
  });
}

/** Checks that nothing happened twice and that the ledger balances. */
export async function checkBooks(
  stages: Stages,
  { context, trader }: Sale,
  payout: BankPayout,
  advance: AdvanceOutput,
  operator: Caller,
): Promise<void> {
  await stages.run('ledger', async () => {
    const { difference_pence, total_debit_pence, postings } = await operator.call(operatorsApi.ledger, {});
    if (difference_pence !== 0) throw new NotReachedError(`the trial balance differs by ${formatPounds(difference_pence)}`);
    const figures = `difference ${formatPounds(difference_pence)}, ${formatPounds(total_debit_pence)} on each side, newest: ${postings[0]?.description}`;
    return { figures, value: undefined };
  });
  await stages.run('exactly once', async () => {
    const returns = await context.sandbox.listReturns(trader.organisation.vrn);
    const acceptedCount = returns.reduce((sum, { times_accepted }) => sum + times_accepted, 0);
    const payouts = (await context.sandbox.listPayouts()).filter(
      ({ account_number }) => account_number === trader.bankAccount.account_number,
    );
    if (acceptedCount !== 1) throw new NotReachedError(`the HMRC simulator has ${acceptedCount} returns of this trader`);
    if (payouts.length !== 1) throw new NotReachedError(`the bank simulator has ${payouts.length} payouts to this trader`);
    if (payout.amount_pence !== advance.net_pence)
      throw new NotReachedError(`the bank paid ${payout.amount_pence} pence, but ${advance.net_pence} were agreed`);
    return { figures: `${acceptedCount} return at HMRC, ${payouts.length} payout at the bank`, value: undefined };
  });
}
