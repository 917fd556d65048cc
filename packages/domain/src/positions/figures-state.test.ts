/** Unknown, nil, partly known and stale figures are distinct. */
import { describe, expect, it } from 'vitest';
import { toInstant } from '../clock.ts';
import { plainDate } from '../plain-date.ts';
import type { Tax } from '../uk-tax/tax.ts';
import { describeFigures, getFiguresState, getStaleDay, type FiguresState } from './figures-state.ts';

const today = plainDate('2026-11-22');
const getInstantOn = (day: string) => toInstant(Date.parse(`${day}T10:00:00Z`));

describe('the state of figures', () => {
  it.each<[readonly Tax[], readonly Tax[], string | null, FiguresState]>([
    [[], [], null, 'no_taxes'],
    [['vat', 'paye'], [], null, 'unread'],
    [['vat', 'paye'], ['vat'], '2026-12-01', 'partial'],
    // A stale figure doesn't make a missing one known.
    [['vat', 'paye'], ['vat'], '2026-11-01', 'partial'],
    [['vat'], ['vat'], '2026-11-22', 'stale'],
    [['vat'], ['vat'], '2026-11-23', 'current'],
    // A tax that the client no longer has doesn't count as read.
    [['ct'], ['vat'], '2026-12-01', 'unread'],
  ])('with %j of which %j read, stale from %s, is %s', (taxes, readTaxes, staleOn, state) => {
    expect(getFiguresState({ taxes, readTaxes, staleOn: staleOn === null ? null : plainDate(staleOn) }, today)).toBe(state);
  });

  it('counts HMRC’s figures as old after 7 days, a statement’s after 31, and both at once after a failed refresh', () => {
    const asOf = getInstantOn('2026-11-10');
    expect(getStaleDay({ tax: 'vat', source: 'hmrc', asOf, hasReadingFailed: false })).toBe('2026-11-18');
    expect(getStaleDay({ tax: 'paye', source: 'statement', asOf, hasReadingFailed: false })).toBe('2026-12-12');
    expect(getStaleDay({ tax: 'vat', source: 'hmrc', asOf, hasReadingFailed: true })).toBe('2026-11-10');
    expect(getStaleDay({ tax: 'vat', source: 'rule', asOf: null, hasReadingFailed: true })).toBeNull();
  });

  it.each<[string, Parameters<typeof describeFigures>[0]]>([
    ['No taxes', { state: 'no_taxes', taxes: [], unreadTaxes: [], asOf: null, hasFailed: false }],
    ['Not updated yet', { state: 'unread', taxes: ['vat'], unreadTaxes: ['vat'], asOf: null, hasFailed: false }],
    ['Not updated yet: last refresh failed', { state: 'unread', taxes: ['vat'], unreadTaxes: ['vat'], asOf: null, hasFailed: true }],
    [
      'VAT only: PAYE and Corporation tax not updated yet',
      { state: 'partial', taxes: ['vat', 'paye', 'ct'], unreadTaxes: ['paye', 'ct'], asOf: getInstantOn('2026-11-20'), hasFailed: false },
    ],
    [
      'Updated 12 Nov 2026, 10 days ago',
      { state: 'stale', taxes: ['vat'], unreadTaxes: [], asOf: getInstantOn('2026-11-12'), hasFailed: false },
    ],
    [
      'Updated 21 Nov 2026, yesterday; last refresh failed',
      { state: 'stale', taxes: ['vat'], unreadTaxes: [], asOf: getInstantOn('2026-11-21'), hasFailed: true },
    ],
    ['Updated today', { state: 'current', taxes: ['vat'], unreadTaxes: [], asOf: getInstantOn('2026-11-22'), hasFailed: false }],
  ])('is described as “%s”', (text, figures) => {
    expect(describeFigures(figures, today)).toBe(text);
  });
});
