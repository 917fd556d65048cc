/** Control page for the GoCardless simulator: mandates, payments and the bank's responses. */
import { PAYOUT_STATUSES } from '@portal/domain/shortfalls/direct-debit-payout.ts';
import { MANDATE_STATUSES, PAYMENT_STATUSES } from '@portal/domain/shortfalls/direct-debit.ts';
import { sendResult, sendError, getPathParam, readChoice, readInput, readText, type ControlRoute } from '../control/control-call.ts';
import { formatPenceAsPounds, formatTime } from '../control/format.ts';
import { h, type Markup } from '../control/markup.ts';
import { renderChoice, renderField, renderTable, sendPage } from '../control/page.ts';
import type { GoCardlessControls } from './gocardless-simulator.ts';

const PAGE = '/control/direct-debits';

export function goCardlessControlRoutes(controls: GoCardlessControls): ControlRoute[] {
  return [
    { method: 'GET', url: PAGE, handler: (_request, reply) => sendPage(reply, 'Direct Debits', toPage(controls)) },
    {
      method: 'GET',
      url: `${PAGE}.json`,
      summary: 'Mandates, payments with the time of their pre-notification, payouts with their items, and webhooks.',
      responseExample: '{"mandates": [...], "payments": [...], "payouts": [...], "webhooks": [...]}',
      handler: (_request, reply) =>
        reply.send({
          mandates: controls.listMandates(),
          payments: controls.listPayments(),
          payouts: controls.listPayouts(),
          webhooks: controls.listWebhooks(),
        }),
    },
    {
      method: 'POST',
      url: `${PAGE}/mandates/:id/move`,
      summary: 'Sets the status of a mandate, as the bank would.',
      requestExample: '{"status": "submitted" | "active" | "failed" | "cancelled" | ...}',
      responseExample: '{"mandate": {...}}',
      handler: (request, reply) => {
        const mandate = controls.moveMandate(getPathParam(request, 'id'), readChoice(readInput(request), 'status', MANDATE_STATUSES));
        if (!mandate) return sendError(reply, 404, 'id', 'Mandate not found.');
        return sendResult(reply, { mandate }, PAGE, `The mandate is ${mandate.status}.`);
      },
    },
    {
      method: 'POST',
      url: `${PAGE}/payments/:id/move`,
      summary: 'Sets the status of a payment, as the bank would: charged_back also after paid_out.',
      requestExample: '{"status": "confirmed" | "paid_out" | "failed" | "charged_back" | ..., "reason": "refer to payer"}',
      responseExample: '{"payment": {...}}',
      handler: (request, reply) => {
        const input = readInput(request);
        const status = readChoice(input, 'status', PAYMENT_STATUSES);
        const reason = status === 'failed' || status === 'charged_back' ? readText(input, 'reason') : undefined;
        const payment = controls.movePayment(getPathParam(request, 'id'), status, reason);
        if (!payment) return sendError(reply, 404, 'id', 'Payment not found.');
        return sendResult(reply, { payment }, PAGE, `The payment is ${payment.status}.`);
      },
    },
    {
      method: 'POST',
      url: `${PAGE}/payouts/:id/move`,
      summary: 'Sets the status of a payout: bounced if our bank sends it back.',
      requestExample: '{"status": "pending" | "paid" | "bounced"}',
      responseExample: '{"payout": {...}}',
      handler: (request, reply) => {
        const payout = controls.movePayout(getPathParam(request, 'id'), readChoice(readInput(request), 'status', PAYOUT_STATUSES));
        if (!payout) return sendError(reply, 404, 'id', 'Payout not found.');
        return sendResult(reply, { payout }, PAGE, `The payout is ${payout.status}.`);
      },
    },
    {
      method: 'POST',
      url: `${PAGE}/fail-next`,
      summary: 'Makes the next charge fail for this reason.',
      requestExample: '{"reason": "refer to payer"}',
      responseExample: '{"reason"}',
      handler: (request, reply) => {
        const reason = readText(readInput(request), 'reason');
        controls.failNextPayment(reason);
        return sendResult(reply, { reason }, PAGE, `The next charge will fail: ${reason}.`);
      },
    },
  ];
}

const toOptions = (statuses: readonly string[]) => statuses.map((status) => [status, status] as const);

function toPage(controls: GoCardlessControls): Markup {
  return h`<p class="lead">Mandates and Direct Debits at the GoCardless simulator. Statuses follow the sandbox clock in working days; you can also set them here.</p>
${renderTable(
  'Mandates',
  ['Payer', 'Reference', 'Status', 'Set up', 'Change'],
  controls
    .listMandates()
    .toReversed()
    .map(
      (mandate) =>
        h`<tr><td>${mandate.payer}</td><td class="short">${mandate.reference}</td><td>${mandate.status}</td><td class="short">${formatTime(mandate.created_at)}</td><td><form method="post" action="${PAGE}/mandates/${mandate.id}/move">${renderChoice('Status', 'status', toOptions(['submitted', 'active', 'failed', 'cancelled', 'expired']))}<button class="plain">Set</button></form></td></tr>`,
    ),
  'No mandates yet.',
)}
${renderTable(
  'Direct Debits',
  [{ amount: 'Amount' }, 'Charge on', 'Status', 'Payer notified', 'Change'],
  controls
    .listPayments()
    .toReversed()
    .map(
      (payment) =>
        h`<tr><td class="amount">${formatPenceAsPounds(payment.amount)}</td><td class="short">${payment.charge_date}</td><td>${payment.status}</td><td class="short">${formatTime(payment.notified_at)}</td><td><form method="post" action="${PAGE}/payments/${payment.id}/move">${renderChoice('Status', 'status', toOptions(['submitted', 'confirmed', 'paid_out', 'failed', 'charged_back']))}${renderField('Reason', 'reason', 'refer to payer')}<button class="plain">Set</button></form></td></tr>`,
    ),
  'No Direct Debits yet.',
)}
${renderTable(
  'Payouts to the portal’s bank account',
  ['Reference', { amount: 'Amount' }, 'Items', 'Arrives on', 'Status', 'Change'],
  controls
    .listPayouts()
    .toReversed()
    .map(
      (payout) =>
        h`<tr><td class="short">${payout.reference}</td><td class="amount">${formatPenceAsPounds(payout.amount)}</td><td>${payout.items.map(({ type, tenths }) => `${type} ${(tenths / 10).toFixed(1)}p`).join(', ')}</td><td class="short">${payout.arrival_date}</td><td>${payout.status}</td><td><form method="post" action="${PAGE}/payouts/${payout.id}/move">${renderChoice('Status', 'status', toOptions(PAYOUT_STATUSES))}<button class="plain">Set</button></form></td></tr>`,
    ),
  'No payouts yet.',
)}
<div class="cards forms"><form class="card" method="post" action="${PAGE}/fail-next"><h2>Fail the next charge</h2>${renderField('Reason', 'reason', 'refer to payer')}<button>Fail next charge</button></form></div>`;
}
