import { expect, it } from 'vitest';
import { getAdvanceTerms } from '../advances/advance-terms.ts';
import { pence } from '../money.ts';
import { plainDate } from '../plain-date.ts';
import { findProposalBlocker, type ProposalBlockerFacts } from './find-proposal-bar.ts';

const TODAY = plainDate('2026-11-28');
const FACTS: ProposalBlockerFacts = {
  kind: 'company',
  vrn: '482193730',
  refund: pence(400_000),
  feeRateBps: 100,
  overdueReturns: [],
  vatDebt: undefined,
  registeredOn: undefined,
  insolvent: false,
};

it.each<[string, Partial<ProposalBlockerFacts>, string | undefined]>([
  ['nothing known against it', {}, undefined],
  ['an LLP with a small debt', { kind: 'llp', vatDebt: pence(499_99) }, undefined],
  ['a sole trader', { kind: 'sole_trader' }, 'limited companies and LLPs'],
  ['no VAT number', { vrn: null }, 'VAT number'],
  ['a refund below the minimum fee', { refund: pence(500) }, 'too small'],
  ['an overdue return', { overdueReturns: [plainDate('2026-11-07')] }, 'overdue'],
  ['a VAT debt', { vatDebt: pence(500_00) }, '£500.00 of VAT is overdue'],
  ['a new registration', { registeredOn: plainDate('2026-10-01') }, '90 days'],
  ['insolvency', { insolvent: true }, 'insolvent'],
  ['more than the limit of one company', { refund: pence(2_000_001_00) }, 'limit'],
])('with %s, a proposal is allowed or blocked with the reason', (_, facts, text) => {
  const foundBlocker = findProposalBlocker({ ...FACTS, ...facts }, getAdvanceTerms(TODAY), TODAY);
  if (text === undefined) expect(foundBlocker).toBeUndefined();
  else expect(foundBlocker).toContain(text);
});
