/** Control routes for the bank simulator: listing payouts, crediting an account and making payments fail. */
import type { TrueLayerControls } from './truelayer-controls.ts';
import {
  readAccount,
  sendResult,
  readInput,
  sendError,
  readText,
  type ControlRoute,
  type ControlInput,
  getPathParam,
} from '../control/control-call.ts';
import { BANK_PAGE, renderBankControlPage } from './bank-control-page.ts';
import { sendPage } from '../control/page.ts';
import { readPence, formatPenceAsPounds } from '../control/format.ts';

export function bankControlRoutes(bank: TrueLayerControls): ControlRoute[] {
  return [
    { method: 'GET', url: BANK_PAGE, handler: (_request, reply) => sendPage(reply, 'Bank', renderBankControlPage(bank)) },
    ...listRoutes(bank),
    ...payoutRoutes(bank),
    ...accountRoutes(bank),
  ];
}

function listRoutes(bank: TrueLayerControls): ControlRoute[] {
  return [
    {
      method: 'GET',
      url: `${BANK_PAGE}/payouts`,
      summary: 'Payouts the portal has ordered, oldest first.',
      responseExample: '{"payouts": [{"id", "idempotency_key", "status", "amount_pence", ...}]}',
      handler: (_request, reply) => reply.send({ payouts: bank.listPayouts() }),
    },
    {
      method: 'GET',
      url: `${BANK_PAGE}/accounts`,
      summary: 'The account that payouts are paid from, and the collection accounts.',
      responseExample: '{"paying": {...}, "collection": [{"id", "account_holder_name", "sort_code", "account_number", "balance_pence"}]}',
      handler: (_request, reply) => reply.send({ paying: bank.payingAccount(), collection: bank.listCollectionAccounts() }),
    },
    {
      method: 'GET',
      url: `${BANK_PAGE}/credits`,
      summary: 'Money received, here or at other banks.',
      responseExample: '{"credits": [...]}',
      handler: (_request, reply) => reply.send({ credits: bank.listCredits() }),
    },
    {
      method: 'GET',
      url: `${BANK_PAGE}/statistics`,
      summary: 'Counts, and equal payments (same account, amount, reference) under different keys: “not_failed” above 1 means paid twice.',
      responseExample: '{"payouts", "executed", "failed", "paid_pence", "equal_under_different_keys": [...]}',
      handler: (_request, reply) => reply.send(bank.payoutStatistics()),
    },
    {
      method: 'GET',
      url: `${BANK_PAGE}/webhooks`,
      summary: 'Webhooks to the portal: delivered and pending.',
      responseExample: '{"webhooks": [{"event_id", "type", "attempts", "delivered_at"?, "last_error"?}]}',
      handler: (_request, reply) => reply.send({ webhooks: bank.listWebhooks() }),
    },
  ];
}

function payoutRoutes(bank: TrueLayerControls): ControlRoute[] {
  return [
    {
      method: 'POST',
      url: `${BANK_PAGE}/payouts/:id/return`,
      summary: 'Returns an executed payout, as the recipient’s bank would.',
      requestExample: '{"reason": "account closed"}',
      responseExample: '{"payout": {...}}',
      handler: (request, reply) => {
        const id = getPathParam(request, 'id');
        if (!bank.returnPayout(id, readText(readInput(request), 'reason')))
          return sendError(reply, 409, 'id', 'Only an executed payout can be returned.');
        return sendResult(
          reply,
          { payout: bank.listPayouts().find((payout) => payout.id === id) },
          BANK_PAGE,
          'The payout has been returned.',
        );
      },
    },
    {
      method: 'POST',
      url: `${BANK_PAGE}/fail-next`,
      summary: 'Makes the next executed payout fail for this reason.',
      requestExample: '{"reason": "scheme_error"}',
      responseExample: '{"reason"}',
      handler: (request, reply) => {
        const reason = readText(readInput(request), 'reason');
        bank.failNextPayout(reason);
        return sendResult(reply, { reason }, BANK_PAGE, `The next payout will fail: ${reason}.`);
      },
    },
  ];
}

function accountRoutes(bank: TrueLayerControls): ControlRoute[] {
  return [
    {
      method: 'POST',
      url: `${BANK_PAGE}/credit`,
      summary:
        'Credits an account with money from outside, in pounds unless "currency" says otherwise. A payment to an account at another bank is only listed.',
      requestExample:
        '{"sort_code": "040662", "account_number": "30000002", "amount_pence": 123450, "remitter_name": "HMRC VAT", "reference": "482193730"}',
      responseExample: '{"credit": {"transaction_id", "held_by": "truelayer" or "another_bank", ...}}',
      handler: (request, reply) => {
        const credit = bank.creditAccount(readCredit(readInput(request)));
        const outcome = credit.held_by === 'truelayer' ? 'arrived' : 'went to another bank';
        return sendResult(reply, { credit }, BANK_PAGE, `${formatPenceAsPounds(credit.amount_pence)} ${outcome}.`);
      },
    },
    {
      method: 'POST',
      url: `${BANK_PAGE}/pay-from-console`,
      summary: 'Pays from a collection account, as someone could in the bank’s console. The portal never does.',
      requestExample:
        '{"from_account_number": "30000002", "name": "Mallory Ltd", "sort_code": "200000", "account_number": "55779911", "amount_pence": 10000, "reference": "TRANSFER"}',
      responseExample: '{"payout_id"}',
      handler: (request, reply) => {
        const input = readInput(request);
        const fromNumber = readText(input, 'from_account_number');
        const from = bank.listCollectionAccounts().find(({ account_number }) => account_number === fromNumber);
        if (!from) return sendError(reply, 404, 'from_account_number', 'There is no such collection account.');
        const payout_id = bank.payFromConsole(readConsolePayment(from.id, input));
        if (payout_id === undefined) return sendError(reply, 409, 'amount', 'There isn’t enough money on the account.');
        return sendResult(reply, { payout_id }, BANK_PAGE, 'The payment has been made.');
      },
    },
    {
      method: 'POST',
      url: `${BANK_PAGE}/balance`,
      summary: 'Sets the balance of the account that payouts are paid from.',
      requestExample: '{"balance_pence": 0}',
      responseExample: '{"paying": {...}}',
      handler: (request, reply) => {
        bank.setPayingBalance(readPence(readInput(request), 'balance', 0));
        return sendResult(
          reply,
          { paying: bank.payingAccount() },
          BANK_PAGE,
          `The balance is now ${formatPenceAsPounds(bank.payingAccount().balance_pence)}.`,
        );
      },
    },
  ];
}

function readConsolePayment(fromAccountId: string, input: ControlInput) {
  const to = { name: readText(input, 'name'), ...readAccount(input) };
  return { fromAccountId, to, amountPence: readPence(input, 'amount', 1), reference: readText(input, 'reference') };
}

function readCredit(input: ControlInput) {
  return {
    ...readAccount(input),
    amountPence: readPence(input, 'amount', 1),
    remitterName: readText(input, 'remitter_name'),
    reference: readText(input, 'reference'),
    ...(input['currency'] === undefined ? {} : { currency: readText(input, 'currency') }),
  };
}
