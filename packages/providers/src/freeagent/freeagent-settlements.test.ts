import { describe, expect, it } from 'vitest';
import type { FreeAgentExplanationWire } from './freeagent-books-wire.ts';
import { FreeAgentSettlements } from './freeagent-settlements.ts';

const BILL_URL = 'https://api.freeagent.com/v2/bills/7';
const INVOICE = 'https://api.freeagent.com/v2/invoices/8';

const settle = (fields: Partial<FreeAgentExplanationWire>): FreeAgentSettlements => {
  const settlements = new FreeAgentSettlements();
  settlements.add({ dated_on: '2026-07-02', ...fields } as FreeAgentExplanationWire);
  return settlements;
};

describe('a bank entry in pounds for a document in another currency', () => {
  it.each(['120.00', '-120.00'])('settles half of a bill, even if its value in that currency is stated as %s', (foreign_currency_value) => {
    const settlements = settle({ paid_bill: BILL_URL, gross_value: '-100.00', foreign_currency_value });
    expect(settlements.find(BILL_URL, 240_00, undefined)).toEqual({ total: 240_00, settlements: [{ date: '2026-07-02', amount: 120_00 }] });
  });

  it.each(['120.00', '-120.00'])('reduces what an invoice was paid if it went out, stated as %s', (foreign_currency_value) => {
    const settlements = settle({ paid_invoice: INVOICE, gross_value: '-100.00', foreign_currency_value });
    expect(settlements.find(INVOICE, 240_00, undefined)).toEqual({ total: 240_00, settlements: [{ date: '2026-07-02', amount: -120_00 }] });
  });
});
