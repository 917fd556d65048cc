import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { AppProviders } from '../core/app-providers.tsx';
import { DataTable, listColumnsThatOverflow } from './data-table.tsx';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const ROWS = Array.from({ length: 300 }, (_, row) => ({ id: String(row) }));

const renderTable = (listKey: string, rows = ROWS) => (
  <AppProviders>
    <DataTable
      label="Clients"
      listKey={listKey}
      rows={rows}
      columns={[{ id: 'name', title: 'Name', width: 100, sort: 'name', cell: ({ id }) => id }]}
      getRowId={({ id }) => id}
      getRowName={({ id }) => id}
      hidden={[]}
      order={{ sort: 'name', direction: 'asc' }}
      onOrder={() => undefined}
      selected={new Set()}
      onSelect={undefined}
      total={300}
      dense={false}
      isLoadingMore={false}
      loadMore={undefined}
    />
  </AppProviders>
);

it('scrolls to the top for another list and keeps the position while the same list grows, and when it is opened', () => {
  const scrollSpy = vi.spyOn(globalThis, 'scrollTo').mockImplementation(() => undefined);
  const { rerender } = render(renderTable('by name'));
  // Simulates a scrolled window.
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue({ top: -5000 } as DOMRect);
  rerender(renderTable('by name', [...ROWS, { id: '300' }]));
  expect(scrollSpy).not.toHaveBeenCalledWith(0, 0);
  rerender(renderTable('by what is due'));
  expect(scrollSpy).toHaveBeenCalledWith(0, 0);
});

it('leaves out the least important columns that don’t fit, and never the first', () => {
  const columns = ['name', 'due', 'owed', 'status'].map((id) => ({ id, title: id, width: 100, cell: () => id }));
  const keptNames = ['name', 'owed', 'due', 'status'];
  expect(listColumnsThatOverflow(columns, keptNames, 500)).toEqual([]);
  expect(listColumnsThatOverflow(columns, keptNames, 380)).toEqual(['status']);
  expect(listColumnsThatOverflow(columns, keptNames, 260)).toEqual(['due', 'status']);
  expect(listColumnsThatOverflow(columns, keptNames, 50)).toEqual(['owed', 'due', 'status']);
});
