/** Tests that unknown figures, nothing owed, partly known and old figures all have different texts. */
import { toInstant } from '@portal/domain/clock.ts';
import { pence } from '@portal/domain/money.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { render, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { describeNothingDue, formatKnownAmount, NeedChip, formatOwedAmounts, type ClientFigures } from './figures-label.tsx';

const today = plainDate('2026-11-22');
const readOn = (day: string) => toInstant(Date.parse(`${day}T10:00:00Z`));
const UNREAD: ClientFigures = {
  figures_state: 'unread',
  taxes: ['vat', 'paye'],
  unread_taxes: ['vat', 'paye'],
  refresh_failed: false,
  as_of: null,
};
const PARTIAL: ClientFigures = { ...UNREAD, figures_state: 'partial', unread_taxes: ['paye'], as_of: readOn('2026-11-22') };
const STALE: ClientFigures = { ...UNREAD, figures_state: 'stale', unread_taxes: [], as_of: readOn('2026-11-12') };
const CURRENT: ClientFigures = { ...STALE, figures_state: 'current', as_of: readOn('2026-11-22') };
const NIL = { owed_pence: pence(0), overdue_pence: pence(0), refund_pence: pence(0) };
const NONE = { owed_pence: null, overdue_pence: null, refund_pence: null };

it('what a client needs is short in a table, with the full text on hover', () => {
  render(<NeedChip figures={PARTIAL} attention="none" today={today} isShort />);
  expect(screen.getByText('Partly known').closest('[title]')?.getAttribute('title')).toBe('VAT only: PAYE not updated yet');
});

describe('a client’s amounts', () => {
  it('say "nothing" only when every tax was read', () => {
    expect(formatOwedAmounts({ ...UNREAD, ...NONE }, today)).toBe('Not updated yet');
    expect(formatOwedAmounts({ ...PARTIAL, ...NIL }, today)).toBe('VAT only: PAYE not updated yet');
    expect(formatOwedAmounts({ ...STALE, ...NIL }, today)).toBe('Nothing owed. Updated 12 Nov 2026, 10 days ago');
    expect(formatOwedAmounts({ ...CURRENT, ...NIL }, today)).toBe('Nothing owed');
    expect(formatOwedAmounts({ ...PARTIAL, ...NIL, owed_pence: pence(120_00), overdue_pence: pence(20_00) }, today)).toBe(
      'Owes at least £120.00, £20.00 overdue. VAT only: PAYE not updated yet',
    );
  });

  it('have four different texts in a table', () => {
    expect([
      formatKnownAmount(null, 'unread'),
      formatKnownAmount(pence(0), 'partial'),
      formatKnownAmount(pence(500), 'partial'),
      formatKnownAmount(pence(0), 'current'),
      formatKnownAmount(pence(500), 'stale'),
    ]).toEqual(['Not updated yet', 'Partly known', 'At least £5.00', 'Nil', '£5.00']);
  });

  it('of a client without taxes of its own aren’t unknown, and nothing asks to choose taxes: it may be in a VAT group', () => {
    const figures: ClientFigures = { ...UNREAD, figures_state: 'no_taxes', taxes: [], unread_taxes: [] };
    expect(formatOwedAmounts({ ...figures, ...NONE }, today)).toBe('No taxes');
    expect(formatKnownAmount(null, 'no_taxes')).toBe('No taxes');
    expect(describeNothingDue('no_taxes')).toBe('No due dates');
  });

  it.each([
    [UNREAD, 'Not updated yet'],
    [STALE, 'Updated 12 Nov 2026, 10 days ago'],
    [CURRENT, 'No action needed'],
  ])('get a green chip only if they are complete and recent', (figures, label) => {
    render(<NeedChip figures={figures} attention="none" today={today} />);
    expect(screen.getByText(label)).toBeTruthy();
  });
});
