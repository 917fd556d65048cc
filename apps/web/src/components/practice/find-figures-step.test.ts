import { describe, expect, it } from 'vitest';
import { findFiguresStep, type TaxFacts } from './find-figures-step.ts';

const VAT: TaxFacts = { tax: 'vat', clients: 9, wasRefreshed: false, authorised: 0, pending: 0, unauthorised: 9, failure: undefined };

describe('the next step of a practice without figures', () => {
  it.each([
    ['connect', 'not_connected', [VAT]],
    ['reconnect', 'lapsed', [VAT]],
    ['refresh', 'connected', [VAT]],
    ['refresh', 'connected', [{ ...VAT, wasRefreshed: true, authorised: 1 }]],
    ['authorise', 'connected', [{ ...VAT, wasRefreshed: true }]],
    ['wait', 'connected', [{ ...VAT, wasRefreshed: true, unauthorised: 0, pending: 9 }]],
    ['failed', 'connected', [{ ...VAT, wasRefreshed: true, authorised: 9, unauthorised: 0, failure: 'HMRC’s service didn’t respond.' }]],
    ['statements', 'connected', [{ ...VAT, clients: 0 }]],
    ['statements', 'connected', []],
  ] as const)('is to %s', (kind, connection, facts) => {
    expect(findFiguresStep(connection, facts).kind).toBe(kind);
  });

  it('never tells a connected practice to connect', () => {
    for (const wasRefreshed of [true, false])
      for (const authorisedCount of [0, 9])
        expect(findFiguresStep('connected', [{ ...VAT, wasRefreshed, authorised: authorisedCount }]).text).not.toMatch(/connect HMRC/i);
  });

  it('refreshes only the taxes that were never refreshed or have authorised clients', () => {
    const sa: TaxFacts = { ...VAT, tax: 'sa', wasRefreshed: true };
    expect(findFiguresStep('connected', [VAT, sa]).taxes).toEqual(['vat']);
  });
});
