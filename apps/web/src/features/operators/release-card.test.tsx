// Tests that a release shows what the bank will pay and why, and sends exactly that, and that HMRC payments which put it on hold are
// listed.
import { operatorsApi, type OperatorAdvanceOutput } from '@portal/contract/operators.ts';
import { toInstant } from '@portal/domain/clock.ts';
import { pence } from '@portal/domain/money.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, it } from 'vitest';
import { AppProviders } from '../../core/app-providers.tsx';
import { setTransport } from '../../lib/api.ts';
import { createQueryClient } from '../../lib/query-client.ts';
import { ADVANCE_SAMPLE } from '../../testing/advance-sample.ts';
import { EarlyCreditsNotice } from './early-credits-notice.tsx';
import { ReleaseCard } from './release-card.tsx';

const AT = toInstant(Date.UTC(2026, 10, 20));
const ACCOUNT = '01890000-0000-7000-8000-000000000003';
const DATA: OperatorAdvanceOutput = {
  company: { company_id: '01890000-0000-7000-8000-000000000001', name: 'Tess Exports Ltd', vrn: '123456789' },
  advance: ADVANCE_SAMPLE,
  history: [],
  releases: [],
  releases_needed: 1,
  approved_by: { operator_id: '01890000-0000-7000-8000-000000000005', operator: 'Olga' },
  bank_account_id: ACCOUNT,
  conflict_of_interest: null,
  people: [],
  payout: null,
  held_until: null,
  payout_hold: null,
  early_credits: [],
};

let undo = () => undefined as void;
afterEach(() => {
  undo();
  cleanup();
});

function open(data: OperatorAdvanceOutput): unknown[] {
  const sentBodies: unknown[] = [];
  undo = setTransport(async (endpoint, input) => {
    if (endpoint !== operatorsApi.release) return undefined;
    sentBodies.push(input);
    return data;
  });
  render(
    <QueryClientProvider client={createQueryClient()}>
      <AppProviders>
        <ReleaseCard data={data} />
      </AppProviders>
    </QueryClientProvider>,
  );
  return sentBodies;
}

/** Returns the pairs of label and amount in this part of the page. */
const listFacts = (part: HTMLElement): Record<string, string> =>
  Object.fromEntries(
    within(part)
      .getAllByRole('term')
      .map((term) => [term.textContent, term.nextElementSibling?.textContent ?? '']),
  );

const AMOUNTS = {
  Refund: '£12,600.00',
  'Our fee': '−£126.00',
  Price: '£12,474.00',
  'Deducted for what the trader owes us': '−£1,601.00',
  'The bank pays': '£10,873.00',
  'Quote version': '3',
};

it('shows the price, the deduction and what the bank pays, including in the confirmation, and sends what it showed', async () => {
  const sentBodies = open(DATA);
  expect(listFacts(document.body)).toEqual(AMOUNTS);
  fireEvent.click(screen.getByRole('button', { name: 'Release £10,873.00' }));
  const dialog = await screen.findByRole('dialog', { name: 'Release £10,873.00?' });
  expect(listFacts(dialog)).toEqual(AMOUNTS);
  expect(dialog.textContent).toContain('The payment goes to Tess Exports Ltd, 20-00-00, account ending 9911.');
  fireEvent.click(within(dialog).getByRole('button', { name: 'Release payout' }));
  await expect
    .poll(() => sentBodies)
    .toMatchObject([
      { net_pence: 1_247_400, netted_pence: 160_100, version: 3, bank_account_id: ACCOUNT, advance_id: ADVANCE_SAMPLE.advance_id },
    ]);
});

it('shows no deduction if the trader owes nothing', () => {
  open({ ...DATA, advance: { ...ADVANCE_SAMPLE, netted_pence: pence(0) } });
  expect(listFacts(document.body)).not.toHaveProperty('Deducted for what the trader owes us');
  expect(listFacts(document.body)).toMatchObject({ Price: '£12,474.00', 'The bank pays': '£12,474.00' });
});

it('lists HMRC’s payments that hold the payout, how much is undecided, and where to decide it', () => {
  const credit = {
    credit_id: ACCOUNT,
    amount_pence: pence(300_000),
    unallocated_pence: pence(120_000),
    remitter: 'HMRC VAT',
    reference: '123456789',
    received_at: AT,
  };
  render(
    <MemoryRouter>
      <EarlyCreditsNotice data={{ ...DATA, early_credits: [credit] }} />
    </MemoryRouter>,
  );
  expect(screen.getByRole('listitem').textContent).toMatch(
    /^£3,000\.00 from HMRC VAT, .* reference “123456789”, of which £1,200\.00 is unmatched$/,
  );
  expect(screen.getByRole('link', { name: 'Reconciliation' }).getAttribute('href')).toContain('/admin/reconciliation');
});
