/** Last stages: payout, HMRC's repayment, a balanced ledger, and checks for duplicates. */
import { advancesApi, type AdvanceOutput } from '@portal/contract/advances.ts';
import { operatorApi } from '@portal/contract/operator.ts';
import { formatPounds, pence } from '@portal/domain/money.ts';
import type { Caller } from './caller.ts';
import type { BankPayout } from './doubles.ts';
import type { Sale } from './sell-refund.ts';
import type { Stages } from './stages.ts';
import { NotReached, until } from './until.ts';

export async function seePayout(stages: Stages, { world, trader }: Sale): Promise<BankPayout> {
  return stages.run('payout', async () => {
    const payout = await until(async () => {
      const found = (await world.doubles.listPayouts()).find(({ account_number }) => account_number === trader.bankAccount.account_number);
      if (found?.status === 'failed') throw new NotReached(`the bank did not pay: payout ${found.id} failed`);
      return found?.status === 'executed' ? found : undefined;
    }, 'the bank executed no payout');
    return { figures: `${formatPounds(pence(payout.amount_pence))} paid by the bank, ${payout.id}`, value: payout };
  });
}

export async function settle(stages: Stages, sale: Sale): Promise<AdvanceOutput> {
  const { doubles } = sale.world;
  const { vrn } = sale.trader.organisation;
  await stages.run('repayment', async () => {
    await untilState(sale, 'awaiting_hmrc');
    const [claim] = await doubles.listRepayments(vrn).then((all) => all.filter(({ stage }) => stage !== 'PAID'));
    if (!claim) throw new NotReached('the HMRC simulator has no repayment claim');
    await doubles.payRepayment(vrn, claim.period_key);
    return { figures: `HMRC pays ${formatPounds(pence(claim.claimed_pence))}`, value: undefined };
  });
  return stages.run('settlement', async () => {
    const settled = await untilState(sale, 'settled');
    const ahead = settled.working_days_ahead_of_hmrc;
    const figures = `received ${formatPounds(settled.received_pence)}, paid out after ${settled.hours_to_payout} h, ${ahead} working days ahead of HMRC`;
    return { figures, value: settled };
  });
}

function untilState({ trader: { caller, companyId }, obligationId }: Sale, state: AdvanceOutput['state']): Promise<AdvanceOutput> {
  let last = 'there is no advance';
  return until(async () => {
    const { advance } = await caller.call(advancesApi.find, { company_id: companyId, obligation_id: obligationId });
    last = advance ? `it is ${advance.state}${advance.waiting_for === null ? '' : `: ${advance.waiting_for}`}` : last;
    return advance?.state === state ? advance : undefined;
  }, `the advance did not become ${state}`).catch((error: unknown) => {
    throw error instanceof NotReached ? new NotReached(`${error.message}; ${last}`) : error;
  });
}

/** Checks that nothing happened twice and that the ledger balances. */
export async function checkBooks(
  stages: Stages,
  { world, trader }: Sale,
  payout: BankPayout,
  advance: AdvanceOutput,
  operator: Caller,
): Promise<void> {
  await stages.run('ledger', async () => {
    const { difference_pence, total_debit_pence, postings } = await operator.call(operatorApi.ledger, {});
    if (difference_pence !== 0) throw new NotReached(`the trial balance differs by ${formatPounds(difference_pence)}`);
    const figures = `difference ${formatPounds(difference_pence)}, ${formatPounds(total_debit_pence)} on each side, newest: ${postings[0]?.description}`;
    return { figures, value: undefined };
  });
  await stages.run('exactly once', async () => {
    const returns = await world.doubles.listReturns(trader.organisation.vrn);
    const accepted = returns.reduce((sum, { times_accepted }) => sum + times_accepted, 0);
    const payouts = (await world.doubles.listPayouts()).filter(
      ({ account_number }) => account_number === trader.bankAccount.account_number,
    );
    if (accepted !== 1) throw new NotReached(`the HMRC simulator has ${accepted} returns of this trader`);
    if (payouts.length !== 1) throw new NotReached(`the bank simulator has ${payouts.length} payouts to this trader`);
    if (payout.amount_pence !== advance.net_pence)
      throw new NotReached(`the bank paid ${payout.amount_pence} pence, agreed were ${advance.net_pence}`);
    return { figures: `${accepted} return at HMRC, ${payouts.length} payout at the bank`, value: undefined };
  });
}
