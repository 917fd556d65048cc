/** What must be true of one seller after all of it: one return, one payout, every penny in its place. */
import { advancesApi } from '@portal/contract/advances.ts';
import { operatorApi } from '@portal/contract/operator.ts';
import type { Life } from './live.ts';
import type { Seller, World } from './world.ts';

export type Findings = {
  readonly returnsAtHmrc: number;
  readonly payoutsAtBank: number;
  /** Equal payments under different keys that were both carried out. */
  readonly paidTwice: number;
  readonly ledgerDifferencePence: number;
  /** What this seller's life has added to the debit side of the ledger. */
  readonly postedPence: number;
  readonly refundPence: number;
  readonly receivedPence: number;
  readonly state: string;
};

/** The debit side as it stands, to be compared with after a life. */
export async function readPostedPence({ operators: [operator] }: World): Promise<number> {
  if (!operator) throw new Error('there is no operator');
  return (await operator.call(operatorApi.ledger, {})).total_debit_pence;
}

export async function inspect(world: World, seller: Seller, postedBeforePence: number): Promise<Findings> {
  const { doubles, operators } = world;
  const [operator] = operators;
  if (!operator) throw new Error('there is no operator');
  const { account_number: account } = seller.bankAccount;
  const returns = await doubles.listReturns(seller.organisation.vrn);
  const payouts = (await doubles.listPayouts()).filter(({ account_number }) => account_number === account);
  const { equal_under_different_keys } = await doubles.readBankStatistics();
  const { advance } = await seller.caller.call(advancesApi.find, { company_id: seller.companyId, obligation_id: seller.obligationId });
  const ledger = await operator.call(operatorApi.ledger, {});
  return {
    returnsAtHmrc: returns.reduce((sum, { times_accepted }) => sum + times_accepted, 0),
    payoutsAtBank: payouts.length,
    paidTwice: equal_under_different_keys.filter(({ account_number, not_failed }) => account_number === account && not_failed > 1).length,
    ledgerDifferencePence: ledger.difference_pence,
    postedPence: ledger.total_debit_pence - postedBeforePence,
    refundPence: advance?.refund_pence ?? 0,
    receivedPence: advance?.received_pence ?? 0,
    state: advance?.state ?? 'no advance',
  };
}

/** Every way in which the promise is broken, in a sentence each; none where it is kept. */
export function listViolations(findings: Findings, life: Pick<Life, 'trouble'>): string[] {
  const { returnsAtHmrc, payoutsAtBank, paidTwice, ledgerDifferencePence, postedPence, refundPence, receivedPence, state } = findings;
  const rules: [boolean, string][] = [
    [life.trouble === undefined, life.trouble ?? ''],
    [returnsAtHmrc === 1, `${returnsAtHmrc} returns at HMRC`],
    [payoutsAtBank === 1, `${payoutsAtBank} payouts at the bank`],
    [paidTwice === 0, 'the bank carried out equal payments under different keys'],
    [ledgerDifferencePence === 0, `the ledger differs by ${ledgerDifferencePence} pence`],
    // The payout and the repayment are posted with the whole refund on either side, once each.
    [postedPence === 2 * refundPence, `${postedPence} pence were posted for a refund of ${refundPence}`],
    [receivedPence === refundPence, `${receivedPence} of ${refundPence} pence were received`],
    [state === 'settled', `the advance ended ${state}`],
  ];
  return rules.filter(([holds]) => !holds).map(([, sentence]) => sentence);
}
