import { toInstant } from '@portal/domain/clock.ts';
import { formatPounds, pence } from '@portal/domain/money.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { render } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { expect, it, vi } from 'vitest';
import { listOwedParts, OwedSentence } from './client-head.tsx';
import type { TaxFigures } from './client-page.ts';
import { getHeadline, PenaltyPoints, TaxCard } from './tax-card.tsx';
import type { useClientSync } from './use-client-sync.ts';

it.each([
  [100, 0, '£1.00', 'Owed to HMRC'],
  [100, 500, '£1.00', 'Owed to HMRC'],
  [0, 0, '£0.00', 'Owed to HMRC'],
  [0, 5_595_321, '£55,953.21', 'Refund due from HMRC, nothing owed'],
])('with %i pence owed and %i to be repaid, the card shows %s %s', (owedAmount, refund, figure, label) => {
  expect(getHeadline({ owed_pence: pence(owedAmount), refund_pence: pence(refund) })).toEqual({ figure, label });
});

/** Returns the full sentence as text. */
const describeOwed = (owedAmount: number, overdueAmount: number, refund: number, isIncomplete = false): string =>
  listOwedParts({ owed: pence(owedAmount), overdue: pence(overdueAmount), refund: pence(refund), isIncomplete })
    .map((part) => (typeof part === 'string' ? part : formatPounds(part.amount)))
    .join('');

it.each([
  [13_850_716, 11_515_857, 0, '£138,507.16 owed to HMRC, £115,158.57 of it overdue. No refunds due.'],
  [5_110_772, 0, 16_451, '£51,107.72 owed to HMRC, none of it overdue. £164.51 in refunds due.'],
  [0, 0, 5_595_321, 'Nothing owed to HMRC. £55,953.21 in refunds due.'],
  [0, 0, 0, 'Nothing owed to HMRC. No refunds due.'],
])('%i pence owed, %i overdue, %i to be repaid: %s', (owedAmount, overdueAmount, refund, text) => {
  expect(describeOwed(owedAmount, overdueAmount, refund)).toBe(text);
});

it('says nothing about taxes that were never read', () => {
  expect(describeOwed(0, 0, 0, true)).toBe('No amounts known yet.');
  expect(describeOwed(500, 0, 0, true)).toBe('At least £5.00 owed to HMRC.');
  expect(describeOwed(0, 0, 300, true)).toBe('At least £3.00 in refunds due.');
});

const figures: TaxFigures = {
  tax: 'vat',
  figures_state: 'current',
  refresh_failed: false,
  owed_pence: pence(122_742),
  overdue_pence: pence(22_742),
  overdue_since: plainDate('2026-03-26'),
  refund_pence: pence(5_000),
  overdue_returns: 0,
  overdue_updates: 0,
  penalty_points: null,
  points_threshold: null,
  penalty_pence: pence(1_422),
  interest_pence: pence(605),
  is_estimate: false,
  next_due_on: null,
  next_due_what: null,
  next_due_pence: null,
  source: 'hmrc',
  as_of: toInstant(Date.UTC(2026, 10, 22)),
};
const refresh = { isPending: false, variables: undefined, error: null, mutate: vi.fn<() => void>() } as unknown as ReturnType<
  typeof useClientSync
>['readAgain'];

it('opens the rows behind each of its amounts from the overview, and has no links above the rows themselves', () => {
  const renderLinks = (rowsLink: string | undefined) => {
    const { container, unmount } = render(
      <MemoryRouter>
        <TaxCard {...{ tax: 'vat', rowsLink, figures, detail: null, sync: undefined, refresh, disabledReasonId: undefined }} />
      </MemoryRouter>,
    );
    const links = [...container.querySelectorAll('a')].map((link) => [link.textContent, link.getAttribute('href')]);
    unmount();
    return links;
  };
  const amounts = ['£1,227.42', '£227.42', '£50.00', '£14.22', '£6.05'];
  expect(renderLinks('/client?tab=vat')).toEqual(amounts.map((amount) => [amount, expect.stringMatching(/\/client\?tab=vat$/)]));
  expect(renderLinks(undefined)).toEqual([]);
});

it.each([
  [plainDate('2026-12-07'), 'No figures yet, so amounts aren’t known. The dates are statutory deadlines.', true],
  [null, 'No figures yet, so amounts aren’t known.', false],
])('without figures and with the next date %s, the card says: %s', (nextDueOn, text, hasSource) => {
  const source = 'rule' as const;
  const unreadFigures = { ...figures, owed_pence: null, overdue_pence: null, refund_pence: null, next_due_on: nextDueOn, source };
  const { container } = render(
    <MemoryRouter>
      <TaxCard
        {...{
          tax: 'vat',
          rowsLink: undefined,
          figures: unreadFigures,
          detail: null,
          sync: undefined,
          refresh,
          disabledReasonId: undefined,
        }}
      />
    </MemoryRouter>,
  );
  expect([...container.querySelectorAll('p')].map(({ textContent }) => textContent)).toContain(text);
  expect(container.textContent.includes('Statutory deadline')).toBe(hasSource);
});

it('opens the late returns behind the penalty points, and what makes up the amounts in the overview’s sentence', () => {
  const latePoints = { points: 2, points_threshold: 4, points_source: 'rule' as const };
  const periods = [
    { start: plainDate('2025-10-01'), end: plainDate('2025-12-31') },
    { start: plainDate('2026-01-01'), end: plainDate('2026-03-31') },
  ];
  const { container } = render(
    <MemoryRouter>
      <PenaltyPoints
        figures={{ penalty_points: 2, points_threshold: 4 }}
        detail={{ late: { ...latePoints, point_periods: periods } }}
        rowsLink={undefined}
      />
      <OwedSentence
        ids={{ companyId: 'p-1', clientId: 'c-1' }}
        taxes={['vat', 'paye']}
        owed={pence(500)}
        overdue={pence(200)}
        refund={pence(100)}
        isIncomplete={false}
      />
    </MemoryRouter>,
  );
  expect(container.querySelector('summary')?.textContent).toContain('2 of 4');
  expect([...container.querySelectorAll('details > div')].map(({ textContent }) => textContent)).toEqual([
    'Late return for 1 Oct to 31 Dec 2025',
    'Late return for 1 Jan to 31 Mar 2026',
  ]);
  const links = [...container.querySelectorAll('a')];
  expect(links.map(({ textContent }) => textContent)).toEqual(['£5.00', '£2.00', '£1.00']);
  for (const link of links) expect(link.getAttribute('href')).toMatch(/client_id=c-1#amounts$/);
});
