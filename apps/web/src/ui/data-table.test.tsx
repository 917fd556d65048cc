import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { AppProviders } from '../core/app-providers.tsx';
import { DataTable } from './data-table.tsx';

afterEach(cleanup);

const ROWS = Array.from({ length: 300 }, (_, row) => ({ id: String(row) }));

const table = (listKey: string, rows = ROWS) => (
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

it('scrolls to the top for another list and keeps the position while the same list grows', () => {
  const { rerender } = render(table('by name'));
  const scroller = screen.getByRole('table', { name: 'Clients' });
  scroller.scrollTop = 5000;
  rerender(table('by name', [...ROWS, { id: '300' }]));
  expect(scroller.scrollTop).toBe(5000);
  rerender(table('by what is due'));
  expect(scroller.scrollTop).toBe(0);
});
