import { randomUUID } from 'node:crypto';
import type { Bank, CreditRecord, PayoutRecord } from './bank-records.ts';
import type {
  ConsolePayment,
  EqualPayments,
  PayoutStatistics,
  SandboxAccount,
  SandboxCredit,
  SandboxPayout,
  TrueLayerControls,
} from './truelayer-controls.ts';
import type { WebhookSender } from '../simulator/webhook-sender.ts';

export function createBankControls(bank: Bank, webhookSender: WebhookSender): TrueLayerControls {
  const listPayoutRecords = (): PayoutRecord[] => bank.payouts.list().map(({ document }) => document);
  return {
    listPayouts: () => listPayoutRecords().map(toPayout),
    advancePayouts: () => {
      for (const { key } of bank.unfinished.list()) bank.advancePayout(key);
      webhookSender.wake();
    },
    returnPayout: (payoutId, reason, transactionId) => {
      const isReturned = bank.returnPayout(payoutId, reason, transactionId);
      webhookSender.wake();
      return isReturned;
    },
    makeFailedPayout: (payoutId) => bank.makeFailedPayout(payoutId),
    payFromConsole: (payment) => {
      const payoutId = payFromConsole(bank, payment);
      webhookSender.wake();
      return payoutId;
    },
    failNextPayout: (reason) => bank.failNextPayout(reason),
    creditAccount: (order) => {
      if (!Number.isSafeInteger(order.amountPence) || order.amountPence === 0) throw new RangeError('A credit must not be zero.');
      const credit = bank.credit(order);
      webhookSender.wake();
      return toCredit(credit);
    },
    listCredits: () => bank.credits.list().map(({ document }) => toCredit(document)),
    listCollectionAccounts: () =>
      bank.accounts
        .list()
        .map(({ document }) => document)
        .filter(({ kind }) => kind === 'collection')
        .map(toAccount),
    payingAccount: () => toAccount(bank.payingAccount()),
    setPayingBalance: (amountPence) => bank.setPayingBalance(amountPence),
    payoutStatistics: () => toStatistics(listPayoutRecords()),
    listWebhooks: () => webhookSender.list(),
  };
}

/** Pays at once. Money for another of the simulator's accounts arrives there. */
function payFromConsole(bank: Bank, { fromAccountId, amountPence, to, reference, beneficiaryType }: ConsolePayment): string | undefined {
  const account = bank.accounts.get(fromAccountId);
  if (!account || account.available_pence < amountPence) return undefined;
  const payout = bank.createPayout(randomUUID(), {
    merchant_account_id: fromAccountId,
    amount_in_minor: amountPence,
    currency: 'GBP',
    beneficiary: {
      type: 'external_account',
      account_holder_name: to.name,
      account_identifier: { type: 'sort_code_account_number', sort_code: to.sortCode, account_number: to.accountNumber },
      reference,
    },
  });
  const { id } = payout;
  if (beneficiaryType) bank.payouts.put(id, { ...payout, beneficiary_type: beneficiaryType });
  while (bank.advancePayout(id));
  const isOwnAccount = bank.accounts.list().some(({ document }) => isAccount(document, to));
  if (isOwnAccount) {
    const { sortCode, accountNumber } = to;
    bank.credit({ sortCode, accountNumber, amountPence, remitterName: account.account_holder_name, reference });
  }
  return id;
}

const isAccount = (account: SandboxAccount, { sortCode, accountNumber }: ConsolePayment['to']): boolean =>
  account.sort_code === sortCode && account.account_number === accountNumber;

function toStatistics(payouts: readonly PayoutRecord[]): PayoutStatistics {
  const executedPayouts = payouts.filter(({ status }) => status === 'executed');
  return {
    payouts: payouts.length,
    executed: executedPayouts.length,
    failed: payouts.filter(({ status }) => status === 'failed').length,
    paid_pence: executedPayouts.reduce((sum, { amount_pence }) => sum + amount_pence, 0),
    equal_under_different_keys: findEqualPayouts(payouts),
  };
}

/** Finds equal payouts. Their keys always differ, because each key makes only one payout. */
function findEqualPayouts(payouts: readonly PayoutRecord[]): EqualPayments[] {
  const groups = Map.groupBy(payouts, ({ sort_code, account_number, amount_pence, reference }) =>
    JSON.stringify([sort_code, account_number, amount_pence, reference]),
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first || group.length < 2) return [];
    const { sort_code, account_number, amount_pence, reference } = first;
    const not_failed = group.filter(({ status }) => status !== 'failed').length;
    return [{ sort_code, account_number, amount_pence, reference, payout_ids: group.map(({ id }) => id), not_failed }];
  });
}

function toPayout({ account_id: _account, metadata: _metadata, returned_by: _returnedBy, ...payout }: PayoutRecord): SandboxPayout {
  return payout;
}

function toCredit({ account_id: _account, ...credit }: CreditRecord): SandboxCredit {
  return credit;
}

function toAccount({ id, kind, account_holder_name, sort_code, account_number, balance_pence }: SandboxAccount): SandboxAccount {
  return { id, kind, account_holder_name, sort_code, account_number, balance_pence };
}
