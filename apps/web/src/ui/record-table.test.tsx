import { cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { RecordTable } from './record-table.tsx';

const ROWS = [
  { name: 'HMRC', failure: 'Timed out' },
  { name: 'GoCardless', failure: null },
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
        { title: 'Provider', cell: ({ name }) => name },
        { title: 'What failed', cell: ({ failure }) => failure },
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
  expect(rows.map((row) => row.textContent)).toEqual(['ProviderWhat failed', 'HMRCTimed out', 'GoCardless–']);
  expect(screen.getByRole('rowheader', { name: 'GoCardless' })).toBeTruthy();
});

it('shows rows as cards where the table would be too wide, without what they lack', () => {
  openTable(true);
  expect(screen.queryByRole('table')).toBeNull();
  const cards = within(screen.getByRole('list', { name: 'Providers' })).getAllByRole('listitem');
  expect(cards.map((card) => card.textContent)).toEqual(['HMRCWhat failedTimed out', 'GoCardless']);
});
