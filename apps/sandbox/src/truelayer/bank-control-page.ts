/** Control page for the bank simulator. */
import type { SandboxPayout, TrueLayerControls } from './truelayer-controls.ts';
import { h, type Markup } from '../control/markup.ts';
import { renderChoice, renderField, renderTable } from '../control/page.ts';
import { formatAccount, formatPenceAsPounds, formatTime } from '../control/format.ts';

export const BANK_PAGE = '/control/bank';
/** TrueLayer's published failure reasons: docs.truelayer.com, "Payout and refund statuses". */
const FAILURES = [
  ['scheme_error', 'scheme_error: the payment scheme failed'],
  ['blocked', 'blocked: rejected for a regulatory reason'],
  ['insufficient_funds', 'insufficient_funds: not enough money'],
  ['server_error', 'server_error: the provider’s server failed'],
] as const;

export function renderBankControlPage(bank: TrueLayerControls): Markup {
  const payingAccount = bank.payingAccount();
  const { payouts, executed, failed, paid_pence, equal_under_different_keys: equalCount } = bank.payoutStatistics();
  const paidTwice = equalCount.filter(({ not_failed }) => not_failed > 1);
  const collectionAccounts = bank.listCollectionAccounts();
  return h`<p class="lead">The account that payouts are paid from, and the collection accounts that receive repayments.</p>
${paidTwice.length > 0 && h`<p class="warn"><strong>Paid twice?</strong> ${paidTwice.length} ${paidTwice.length === 1 ? 'payment was' : 'payments were'} made more than once under different keys.</p>`}
<div class="cards">
<div class="card"><p class="figure">${formatPenceAsPounds(payingAccount.balance_pence)}</p><p class="soft">${payingAccount.account_holder_name}, ${formatAccount(payingAccount)}</p></div>
<div class="card"><p class="figure">${formatPenceAsPounds(paid_pence)}</p><p class="soft">paid out: ${executed} of ${payouts} payouts executed, ${failed} failed or returned</p></div>
</div>
${renderTable('Payouts', ['To', { amount: 'Amount' }, 'Reference', 'Status', 'Ordered', 'Action'], bank.listPayouts().reverse().map(renderPayoutRow), 'No payouts yet.')}
${renderTable(
  'Collection accounts',
  ['Holder', 'Account', { amount: 'Balance' }],
  collectionAccounts.map(
    (account) =>
      h`<tr><td>${account.account_holder_name}</td><td class="short">${formatAccount(account)}</td><td class="amount">${formatPenceAsPounds(account.balance_pence)}</td></tr>`,
  ),
  'No collection accounts yet. The portal opens one when the first agreement is accepted.',
)}
${renderTable(
  'Money received',
  ['From', 'To', { amount: 'Amount' }, 'Reference', 'At'],
  bank
    .listCredits()
    .reverse()
    .map(
      (credit) =>
        h`<tr><td>${credit.remitter_name}</td><td>${formatAccount(credit)}${credit.held_by === 'another_bank' && ' (another bank)'}</td><td class="amount">${formatPenceAsPounds(credit.amount_pence)}${credit.currency !== undefined && ` (${credit.currency})`}</td><td>${credit.reference}</td><td class="short">${formatTime(credit.at)}</td></tr>`,
    ),
  'None yet.',
)}
<div class="cards forms">
<form class="card" method="post" action="${BANK_PAGE}/credit"><h2>Receive money</h2>${renderField('Sort code', 'sort_code', collectionAccounts.at(-1)?.sort_code)}${renderField('Account number', 'account_number', collectionAccounts.at(-1)?.account_number)}${renderField('Amount in pounds', 'amount', '100.00')}${renderField('From', 'remitter_name', 'HMRC VAT')}${renderField('Reference', 'reference', 'VAT REPAYMENT')}<button>Credit account</button></form>
<form class="card" method="post" action="${BANK_PAGE}/pay-from-console"><h2>Pay from a collection account</h2><p class="soft">As someone could in the bank’s console. The portal never does.</p>${renderField('From account number', 'from_account_number', collectionAccounts.at(-1)?.account_number)}${renderField('To', 'name', 'Mallory Ltd')}${renderField('Sort code', 'sort_code', '200000')}${renderField('Account number', 'account_number', '55779911')}${renderField('Amount in pounds', 'amount', '100.00')}${renderField('Reference', 'reference', 'TRANSFER')}<button>Pay</button></form>
<form class="card" method="post" action="${BANK_PAGE}/fail-next"><h2>Fail the next payout</h2>${renderChoice('Reason', 'reason', FAILURES)}<button>Fail next payout</button></form>
<form class="card" method="post" action="${BANK_PAGE}/balance"><h2>Funds</h2>${renderField('Balance in pounds', 'balance', formatPenceAsPounds(payingAccount.balance_pence).replace('£', ''), 'If this is too low, payouts fail because of insufficient funds.')}<button>Set balance</button></form>
</div>
${renderTable(
  'Webhooks to the portal',
  ['Event', { amount: 'Attempts' }, 'State'],
  bank
    .listWebhooks()
    .reverse()
    .slice(0, 50)
    .map(
      (webhook) =>
        h`<tr><td>${webhook.type}</td><td class="amount">${webhook.attempts}</td><td>${webhook.delivered_at ? `delivered ${formatTime(webhook.delivered_at)}` : `not yet delivered${webhook.last_error ? `: ${webhook.last_error}` : ''}`}</td></tr>`,
    ),
  'None yet.',
)}`;
}

function renderPayoutRow(payout: SandboxPayout): Markup {
  const status = payout.failure_reason ? `${payout.status}: ${payout.failure_reason}` : payout.status;
  const returnForm = h`<form method="post" action="${BANK_PAGE}/payouts/${payout.id}/return"><label class="sr" for="reason-${payout.id}">Reason for returning the payout to ${payout.beneficiary_name}</label><input id="reason-${payout.id}" name="reason" value="account closed"><button class="plain">Return payout</button></form>`;
  return h`<tr><td>${payout.beneficiary_name}<br><span class="soft">${formatAccount(payout)}</span></td><td class="amount">${formatPenceAsPounds(payout.amount_pence)}</td><td class="short">${payout.reference}</td><td>${status}</td><td class="short">${formatTime(payout.created_at)}</td><td>${payout.status === 'executed' && returnForm}</td></tr>`;
}
