/** Checks one trader after a run: one return, one payout, and a ledger that balances. */
import { advancesApi } from '@portal/contract/advances.ts';
import { operatorsApi } from '@portal/contract/operators.ts';
import type { TraderRun } from './run-to-settlement.ts';
import type { FilingTrader, FilingTestBed } from './filing-test-bed.ts';

export type Findings = {
  readonly returnsAtHmrc: number;
  readonly payoutsAtBank: number;
  /** The number of equal payments under different keys that both succeeded. */
  readonly paidTwice: number;
  readonly ledgerDifferencePence: number;
  /** How much, in pence, this trader's run added to the debit side of the ledger. */
  readonly postedPence: number;
  readonly refundPence: number;
  readonly receivedPence: number;
  readonly state: string;
};

/** Returns the total of the ledger's debit side, to compare with the total after a run. */
export async function readPostedPence({ approver: operator }: FilingTestBed): Promise<number> {
  return (await operator.call(operatorsApi.ledger, {})).total_debit_pence;
}

export async function collectFindings(testBed: FilingTestBed, trader: FilingTrader, postedBeforePence: number): Promise<Findings> {
  const { sandbox, approver: operator } = testBed;
  const { account_number: account } = trader.bankAccount;
  const returns = await sandbox.listReturns(trader.organisation.vrn);
  const payouts = (await sandbox.listPayouts()).filter(({ account_number }) => account_number === account);
  const { equal_under_different_keys } = await sandbox.readBankStatistics();
  const { advance } = await trader.caller.call(advancesApi.find, { company_id: trader.companyId, obligation_id: trader.obligationId });
  const ledger = await operator.call(operatorsApi.ledger, {});
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

/** Returns one sentence for each violated rule; empty if all rules hold. */
export function listViolations(findings: Findings, run: Pick<TraderRun, 'failureReason'>): string[] {
  const { ledgerDifferencePence, postedPence, refundPence } = findings;
  return [...listTraderViolations(findings, run), ...listLedgerViolations({ ledgerDifferencePence, postedPence, refundPence })];
}

/** Checks the rules for one trader, while others may be active. */
export function listTraderViolations(
  { returnsAtHmrc, payoutsAtBank, paidTwice, refundPence, receivedPence, state }: Findings,
  run: Pick<TraderRun, 'failureReason'>,
): string[] {
  const rules: [boolean, string][] = [
    [run.failureReason === undefined, run.failureReason ?? ''],
    [returnsAtHmrc === 1, `${returnsAtHmrc} returns at HMRC`],
    [payoutsAtBank === 1, `${payoutsAtBank} payouts at the bank`],
    [paidTwice === 0, 'the bank carried out equal payments under different keys'],
    [receivedPence === refundPence, `${receivedPence} of ${refundPence} pence were received`],
    [state === 'settled', `the advance ended ${state}`],
  ];
  return rules.filter(([isMet]) => !isMet).map(([, sentence]) => sentence);
}

/** Checks the rules for the ledger, covering all traders' refunds since it was last read. */
export function listLedgerViolations({
  ledgerDifferencePence,
  postedPence,
  refundPence,
}: Pick<Findings, 'ledgerDifferencePence' | 'postedPence' | 'refundPence'>): string[] {
  const rules: [boolean, string][] = [
    [ledgerDifferencePence === 0, `the ledger differs by ${ledgerDifferencePence} pence`],
    // The payout, the repayment's receipt and its allocation each post the full refund once on the debit side.
    [postedPence === 3 * refundPence, `${postedPence} pence were posted for a refund of ${refundPence}`],
  ];
  return rules.filter(([isMet]) => !isMet).map(([, sentence]) => sentence);
}
