/** The bank's controls: what it paid, money that arrives, and what goes wrong with payments. */
import { json } from '@portal/providers/double/double.ts';
import type { SandboxPayout, TrueLayerControls } from '@portal/providers/truelayer/truelayer-controls.ts';
import { ControlInputError, done, readInput, refuse, textOf, type ControlRoute, type Input } from './control-call.ts';
import { h, type Markup } from './markup.ts';
import { choice, field, page, table } from './page.ts';
import { penceOf, poundsText, timeText } from './words.ts';

const PAGE = '/control/bank';
/** TrueLayer's published reasons (docs.truelayer.com, "Payout and refund statuses"). */
const FAILURES = [
  ['scheme_error', 'scheme_error: the scheme could not do it'],
  ['blocked', 'blocked: refused for a regulatory reason'],
  ['insufficient_funds', 'insufficient_funds: not enough money'],
  ['server_error', 'server_error: the provider failed'],
] as const;

export function bankRoutes(bank: TrueLayerControls): ControlRoute[] {
  return [
    { method: 'GET', path: PAGE, answer: (call) => page(call, 200, 'Bank', bankPage(bank)) },
    {
      method: 'GET',
      path: `${PAGE}/payouts`,
      summary: 'Payouts the portal has ordered, oldest first.',
      gives: '{"payouts": [{"id", "idempotency_key", "status", "amount_pence", ...}]}',
      answer: () => json(200, { payouts: bank.listPayouts() }),
    },
    {
      method: 'POST',
      path: `${PAGE}/payouts/:id/return`,
      summary: 'The beneficiary’s bank sends an executed payout back.',
      takes: '{"reason": "account closed"}',
      gives: '{"payout": {...}}',
      answer: (call) => {
        const id = call.params['id'] ?? '';
        if (!bank.returnPayout(id, textOf(readInput(call), 'reason')))
          return refuse(call, 409, 'id', 'Only an executed payout can come back.');
        return done(call, { payout: bank.listPayouts().find((payout) => payout.id === id) }, PAGE, 'The payout has come back.');
      },
    },
    {
      method: 'POST',
      path: `${PAGE}/fail-next`,
      summary: 'The next payout to be executed fails with this reason.',
      takes: '{"reason": "scheme_error"}',
      gives: '{"reason"}',
      answer: (call) => {
        const reason = textOf(readInput(call), 'reason');
        bank.failNextPayout(reason);
        return done(call, { reason }, PAGE, `The next payout will fail: ${reason}.`);
      },
    },
    {
      method: 'POST',
      path: `${PAGE}/credit`,
      summary: 'Money arrives from outside. An account that is not held here is another bank’s: the payment is only listed.',
      takes:
        '{"sort_code": "040662", "account_number": "30000002", "amount_pence": 123450, "remitter_name": "HMRC VAT", "reference": "482193730"}',
      gives: '{"credit": {"transaction_id", "held_by": "truelayer" or "another_bank", ...}}',
      answer: (call) => {
        const credit = bank.creditAccount(creditOf(readInput(call)));
        const where = credit.held_by === 'truelayer' ? 'arrived' : 'went to another bank';
        return done(call, { credit }, PAGE, `${poundsText(credit.amount_pence)} ${where}.`);
      },
    },
    {
      method: 'GET',
      path: `${PAGE}/accounts`,
      summary: 'The account payouts leave from, and the collection accounts.',
      gives: '{"paying": {...}, "collection": [{"id", "account_holder_name", "sort_code", "account_number", "balance_pence"}]}',
      answer: () => json(200, { paying: bank.payingAccount(), collection: bank.listCollectionAccounts() }),
    },
    {
      method: 'POST',
      path: `${PAGE}/balance`,
      summary: 'Sets the balance of the account payouts leave from.',
      takes: '{"balance_pence": 0}',
      gives: '{"paying": {...}}',
      answer: (call) => {
        bank.setPayingBalance(penceOf(readInput(call), 'balance', 0));
        return done(call, { paying: bank.payingAccount() }, PAGE, `The balance is now ${poundsText(bank.payingAccount().balance_pence)}.`);
      },
    },
    {
      method: 'GET',
      path: `${PAGE}/credits`,
      summary: 'Money that has arrived, here or at other banks.',
      gives: '{"credits": [...]}',
      answer: () => json(200, { credits: bank.listCredits() }),
    },
    {
      method: 'GET',
      path: `${PAGE}/statistics`,
      summary: 'Counts, and equal payments (same account, amount, reference) under different keys: "not_failed" above 1 means paid twice.',
      gives: '{"payouts", "executed", "failed", "paid_pence", "equal_under_different_keys": [...]}',
      answer: () => json(200, bank.payoutStatistics()),
    },
    {
      method: 'GET',
      path: `${PAGE}/webhooks`,
      summary: 'Webhooks to the portal: delivered, and still on their way.',
      gives: '{"webhooks": [{"event_id", "type", "attempts", "delivered_at"?, "last_error"?}]}',
      answer: () => json(200, { webhooks: bank.listWebhooks() }),
    },
  ];
}

function creditOf(input: Input) {
  const sortCode = textOf(input, 'sort_code').replaceAll(/[ -]/g, '');
  const accountNumber = textOf(input, 'account_number').replaceAll(' ', '');
  if (!/^\d{6}$/.test(sortCode)) throw new ControlInputError('sort_code', 'sort_code must be six digits.');
  if (!/^\d{8}$/.test(accountNumber)) throw new ControlInputError('account_number', 'account_number must be eight digits.');
  return {
    sortCode,
    accountNumber,
    amountPence: penceOf(input, 'amount', 1),
    remitterName: textOf(input, 'remitter_name'),
    reference: textOf(input, 'reference'),
  };
}

function bankPage(bank: TrueLayerControls): Markup {
  const paying = bank.payingAccount();
  const { payouts, executed, failed, paid_pence, equal_under_different_keys: equal } = bank.payoutStatistics();
  const twice = equal.filter(({ not_failed }) => not_failed > 1);
  const collection = bank.listCollectionAccounts();
  return h`<p class="lead">Payouts leave here, repayments arrive here.</p>
${twice.length > 0 && h`<p class="warn"><strong>Paid twice?</strong> ${twice.length} ${twice.length === 1 ? 'payment was' : 'payments were'} made more than once under different keys.</p>`}
<div class="cards">
<div class="card"><p class="figure">${poundsText(paying.balance_pence)}</p><p class="soft">${paying.account_holder_name}, ${accountText(paying)}</p></div>
<div class="card"><p class="figure">${poundsText(paid_pence)}</p><p class="soft">paid out: ${executed} of ${payouts} payouts executed, ${failed} failed or returned</p></div>
</div>
${table('Payouts', ['To', 'Amount', 'Reference', 'Status', 'Ordered', ''], bank.listPayouts().reverse().map(payoutRow), 'No payout yet.')}
${table(
  'Collection accounts',
  ['Holder', 'Account', 'Balance'],
  collection.map(
    (account) =>
      h`<tr><td>${account.account_holder_name}</td><td class="short">${accountText(account)}</td><td class="amount">${poundsText(account.balance_pence)}</td></tr>`,
  ),
  'No collection account yet: the portal opens one with the first agreement.',
)}
${table(
  'Money that arrived',
  ['From', 'To', 'Amount', 'Reference', 'At'],
  bank
    .listCredits()
    .reverse()
    .map(
      (credit) =>
        h`<tr><td>${credit.remitter_name}</td><td>${accountText(credit)}${credit.held_by === 'another_bank' && ' (another bank)'}</td><td class="amount">${poundsText(credit.amount_pence)}</td><td>${credit.reference}</td><td class="short">${timeText(credit.at)}</td></tr>`,
    ),
  'Nothing yet.',
)}
<div class="cards">
<form class="card" method="post" action="${PAGE}/credit"><h2>Money arrives</h2>${field('Sort code', 'sort_code', collection.at(-1)?.sort_code)}${field('Account number', 'account_number', collection.at(-1)?.account_number)}${field('Amount in pounds', 'amount', '100.00')}${field('From', 'remitter_name', 'HMRC VAT')}${field('Reference', 'reference', 'VAT REPAYMENT')}<button>Credit the account</button></form>
<form class="card" method="post" action="${PAGE}/fail-next"><h2>The next payout fails</h2>${choice('Reason', 'reason', FAILURES)}<button>Let it fail</button></form>
<form class="card" method="post" action="${PAGE}/balance"><h2>Funds</h2>${field('Balance in pounds', 'balance', poundsText(paying.balance_pence).replace('£', ''), 'Payouts fail for want of funds when this is too low.')}<button>Set the balance</button></form>
</div>
${table(
  'Webhooks to the portal',
  ['Event', 'Attempts', 'State'],
  bank
    .listWebhooks()
    .reverse()
    .slice(0, 50)
    .map(
      (webhook) =>
        h`<tr><td>${webhook.type}</td><td class="amount">${webhook.attempts}</td><td>${webhook.delivered_at ? `delivered ${timeText(webhook.delivered_at)}` : `not yet delivered${webhook.last_error ? `: ${webhook.last_error}` : ''}`}</td></tr>`,
    ),
  'None yet.',
)}`;
}

function payoutRow(payout: SandboxPayout): Markup {
  const status = payout.failure_reason ? `${payout.status}: ${payout.failure_reason}` : payout.status;
  const back = h`<form method="post" action="${PAGE}/payouts/${payout.id}/return"><label class="sr" for="reason-${payout.id}">Reason for returning the payout to ${payout.beneficiary_name}</label><input id="reason-${payout.id}" name="reason" value="account closed"><button class="plain">Return it</button></form>`;
  return h`<tr><td>${payout.beneficiary_name}<br><span class="soft">${accountText(payout)}</span></td><td class="amount">${poundsText(payout.amount_pence)}</td><td class="short">${payout.reference}</td><td>${status}</td><td class="short">${timeText(payout.created_at)}</td><td>${payout.status === 'executed' && back}</td></tr>`;
}

function accountText({ sort_code, account_number }: { sort_code: string; account_number: string }): string {
  return `${sort_code.replace(/(\d\d)(\d\d)(\d\d)/, '$1-$2-$3')} ${account_number}`;
}
