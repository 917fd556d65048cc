/** The bank's controls: what it paid, money that arrives, and what goes wrong with payments. */
import { json } from '../simulator/responses.ts';
import type { TrueLayerControls } from './truelayer-controls.ts';
import { accountOf, done, readInput, refuse, textOf, type ControlRoute, type Input } from '../control/control-call.ts';
import { BANK_PAGE, bankControlPage } from './bank-control-page.ts';
import { page } from '../control/page.ts';
import { penceOf, poundsText } from '../control/format.ts';

export function bankControlRoutes(bank: TrueLayerControls): ControlRoute[] {
  return [
    { method: 'GET', path: BANK_PAGE, answer: (call) => page(call, 200, 'Bank', bankControlPage(bank)) },
    ...reads(bank),
    ...moves(bank),
  ];
}

function reads(bank: TrueLayerControls): ControlRoute[] {
  return [
    {
      method: 'GET',
      path: `${BANK_PAGE}/payouts`,
      summary: 'Payouts the portal has ordered, oldest first.',
      gives: '{"payouts": [{"id", "idempotency_key", "status", "amount_pence", ...}]}',
      answer: () => json(200, { payouts: bank.listPayouts() }),
    },
    {
      method: 'GET',
      path: `${BANK_PAGE}/accounts`,
      summary: 'The account payouts leave from, and the collection accounts.',
      gives: '{"paying": {...}, "collection": [{"id", "account_holder_name", "sort_code", "account_number", "balance_pence"}]}',
      answer: () => json(200, { paying: bank.payingAccount(), collection: bank.listCollectionAccounts() }),
    },
    {
      method: 'GET',
      path: `${BANK_PAGE}/credits`,
      summary: 'Money that has arrived, here or at other banks.',
      gives: '{"credits": [...]}',
      answer: () => json(200, { credits: bank.listCredits() }),
    },
    {
      method: 'GET',
      path: `${BANK_PAGE}/statistics`,
      summary: 'Counts, and equal payments (same account, amount, reference) under different keys: "not_failed" above 1 means paid twice.',
      gives: '{"payouts", "executed", "failed", "paid_pence", "equal_under_different_keys": [...]}',
      answer: () => json(200, bank.payoutStatistics()),
    },
    {
      method: 'GET',
      path: `${BANK_PAGE}/webhooks`,
      summary: 'Webhooks to the portal: delivered, and still on their way.',
      gives: '{"webhooks": [{"event_id", "type", "attempts", "delivered_at"?, "last_error"?}]}',
      answer: () => json(200, { webhooks: bank.listWebhooks() }),
    },
  ];
}

function moves(bank: TrueLayerControls): ControlRoute[] {
  return [
    {
      method: 'POST',
      path: `${BANK_PAGE}/payouts/:id/return`,
      summary: 'The beneficiary’s bank sends an executed payout back.',
      takes: '{"reason": "account closed"}',
      gives: '{"payout": {...}}',
      answer: (call) => {
        const id = call.params['id'] ?? '';
        if (!bank.returnPayout(id, textOf(readInput(call), 'reason')))
          return refuse(call, 409, 'id', 'Only an executed payout can come back.');
        return done(call, { payout: bank.listPayouts().find((payout) => payout.id === id) }, BANK_PAGE, 'The payout has come back.');
      },
    },
    {
      method: 'POST',
      path: `${BANK_PAGE}/fail-next`,
      summary: 'The next payout to be executed fails with this reason.',
      takes: '{"reason": "scheme_error"}',
      gives: '{"reason"}',
      answer: (call) => {
        const reason = textOf(readInput(call), 'reason');
        bank.failNextPayout(reason);
        return done(call, { reason }, BANK_PAGE, `The next payout will fail: ${reason}.`);
      },
    },
    {
      method: 'POST',
      path: `${BANK_PAGE}/credit`,
      summary: 'Money arrives from outside. An account that is not held here is another bank’s: the payment is only listed.',
      takes:
        '{"sort_code": "040662", "account_number": "30000002", "amount_pence": 123450, "remitter_name": "HMRC VAT", "reference": "482193730"}',
      gives: '{"credit": {"transaction_id", "held_by": "truelayer" or "another_bank", ...}}',
      answer: (call) => {
        const credit = bank.creditAccount(creditOf(readInput(call)));
        const where = credit.held_by === 'truelayer' ? 'arrived' : 'went to another bank';
        return done(call, { credit }, BANK_PAGE, `${poundsText(credit.amount_pence)} ${where}.`);
      },
    },
    {
      method: 'POST',
      path: `${BANK_PAGE}/balance`,
      summary: 'Sets the balance of the account payouts leave from.',
      takes: '{"balance_pence": 0}',
      gives: '{"paying": {...}}',
      answer: (call) => {
        bank.setPayingBalance(penceOf(readInput(call), 'balance', 0));
        return done(
          call,
          { paying: bank.payingAccount() },
          BANK_PAGE,
          `The balance is now ${poundsText(bank.payingAccount().balance_pence)}.`,
        );
      },
    },
  ];
}

function creditOf(input: Input) {
  return {
    ...accountOf(input),
    amountPence: penceOf(input, 'amount', 1),
    remitterName: textOf(input, 'remitter_name'),
    reference: textOf(input, 'reference'),
  };
}
