import { cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { RecordTable } from './record-table.tsx';

const ROWS = [
  { name: 'HMRC', failure: 'Timed out', calls: 12 },
  { name: 'GoCardless', failure: null, calls: 3 },
];

function openTable(isNarrow: boolean): void {
  vi.stubGlobal('matchMedia', (media: string) => ({
    matches: isNarrow,
    media,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
  render(
    <RecordTable
      label="Providers"
      rows={ROWS}
      getKey={({ name }) => name}
      columns={[
        { title: 'Provider', cell: ({ name }) => name, total: 'All' },
        { title: 'What failed', cell: ({ failure }) => failure },
        { title: 'Calls', layout: 'numeric', cell: ({ calls }) => calls, total: 15 },
        false,
        { title: 'Action', layout: 'action', cell: ({ failure }) => (failure === null ? null : <button type="button">Retry</button>) },
      ]}
    />,
  );
}

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('names each row by its first column, and shows a dash where there is nothing', () => {
  openTable(false);
  const rows = within(screen.getByRole('table', { name: 'Providers' })).getAllByRole('row');
  expect(rows.map((row) => row.textContent)).toEqual(['ProviderWhat failedCallsAction', 'HMRCTimed out12Retry', 'GoCardless–3', 'All15']);
  expect(screen.getByRole('rowheader', { name: 'GoCardless' })).toBeTruthy();
});

it('shows rows as cards where the table would be too wide, without what they lack', () => {
  openTable(true);
  expect(screen.queryByRole('table')).toBeNull();
  const cards = within(screen.getByRole('list', { name: 'Providers' })).getAllByRole('listitem');
  expect(cards.map((card) => card.textContent)).toEqual(['HMRCWhat failedTimed outCalls12Retry', 'GoCardlessCalls3', 'AllCalls15']);
});
