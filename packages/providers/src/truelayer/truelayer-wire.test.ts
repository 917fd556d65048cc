import { expect, it } from 'vitest';
import { externalPaymentWire, payoutTransactionWire, payoutWire } from './truelayer-wire.ts';

const CREDIT = {
  type: 'external_payment',
  id: 'credit',
  currency: 'GBP',
  amount_in_minor: 100,
  status: 'settled',
  settled_at: '2026-11-10T09:00:00Z',
};

it('reads a credit from an account abroad, whatever identifies that account', () => {
  const remitter = { account_holder_name: 'Jan Kowalski', account_identifiers: [{ type: 'nrb', nrb: '61109010140000071219812874' }] };
  expect(externalPaymentWire.safeParse({ ...CREDIT, remitter }).success).toBe(true);
});

const PAYOUT = {
  id: 'payout',
  merchant_account_id: 'account',
  currency: 'GBP',
  amount_in_minor: 100,
  status: 'executed',
  created_at: '2026-11-10T09:00:00Z',
};

it.each([
  { type: 'business_account', reference: 'SWEEP' },
  { type: 'business_account', reference: 'SWEEP', account_holder_name: 'Tidewater Ltd', account_identifiers: [] },
  { type: 'payment_source', payment_source_id: 'source', user_id: 'user', reference: 'BACK', account_holder_name: 'Tess' },
])('reads a payment that was made in the console to a $type', (beneficiary) => {
  expect(payoutWire.safeParse({ ...PAYOUT, beneficiary }).success).toBe(true);
  const transaction = { ...PAYOUT, type: 'payout', beneficiary, context_code: 'withdrawal', payout_id: 'payout' };
  expect(payoutTransactionWire.safeParse(transaction).success).toBe(true);
});
