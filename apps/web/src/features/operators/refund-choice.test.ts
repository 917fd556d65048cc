import { pence } from '@portal/domain/money.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { expect, it } from 'vitest';
import { readRefundChoice, type RefundInvoice, type RefundKind, type RefundTexts } from './refund-choice.ts';

const INVOICE: RefundInvoice = {
  company_id: 'c',
  practice: 'Oakline',
  invoice_id: 'i',
  number: 'INV-000001',
  issued_on: plainDate('2026-11-10'),
  status: 'paid',
  net_pence: pence(73_00),
  vat_rate_bps: 2_000,
  vat_pence: pence(14_60),
  total_pence: pence(87_60),
  paid_pence: pence(87_60),
  left_pence: pence(87_60),
  lines: [
    { position: 0, description: 'Practice', amount_pence: pence(64_00), left_pence: pence(64_00) },
    { position: 1, description: 'Extra connections', amount_pence: pence(9_00), left_pence: pence(9_00) },
  ],
  problem: null,
  refunds: [],
};

it.each<[RefundKind, Partial<RefundTexts>, unknown]>([
  ['all', {}, { choice: { total_pence: null, lines: null } }],
  ['amount', { amount: '£1,0.5' }, { problem: 'Enter an amount in pounds, such as 12.50.' }],
  ['amount', { amount: ' 12.5 ' }, { choice: { total_pence: 12_50, lines: null } }],
  ['amount', { amount: '87.61' }, { problem: 'Enter at most £87.60.' }],
  ['lines', {}, { problem: 'Enter an amount for a line.' }],
  ['lines', { lines: { 1: '9.01' } }, { problem: 'Extra connections: Enter at most £9.00.' }],
  ['lines', { lines: { 0: '', 1: '4.50' } }, { choice: { total_pence: null, lines: [{ position: 1, amount_pence: 4_50 }] } }],
])('reads %s with %j', (kind, texts, expected) => {
  expect(readRefundChoice(INVOICE, kind, { amount: '', lines: {}, ...texts })).toEqual(expected);
});
