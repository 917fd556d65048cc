// Tests that every number on a statement links to what it counts: clients in the client list, or rejected rows further down, including
// those of an earlier statement.
import { taxStatementsApi, type TaxStatement } from '@portal/contract/tax-statements.ts';
import { toInstant } from '@portal/domain/clock.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, it } from 'vitest';
import { AppProviders } from '../../core/app-providers.tsx';
import { setTransport } from '../../lib/api.ts';
import { createQueryClient } from '../../lib/query-client.ts';
import { TaxStatementsScreen } from './tax-statements-screen.tsx';

const COMPANY = '00000000-0000-4000-8000-000000000001';
const at = toInstant(Date.UTC(2026, 10, 22, 9));
const createStatement = (id: string, changes: Partial<TaxStatement>): TaxStatement => ({
  statement_id: `00000000-0000-4000-8000-0000000000${id}`,
  tax_type: 'paye',
  file_name: `statement-${id}.csv`,
  imported_by: 'Priya Oakes',
  imported_at: at,
  state: 'completed',
  rows: 9,
  rows_done: 9,
  refused: 0,
  clients: 4,
  clients_taken: 4,
  clients_removed: 0,
  ended_at: at,
  reason: null,
  rows_until: at,
  ...changes,
});

let undo = () => undefined as void;
afterEach(() => {
  cleanup();
  undo();
});

function open(statements: readonly TaxStatement[]) {
  const requestedInputs: Record<string, unknown>[] = [];
  undo = setTransport((endpoint, input) => {
    if (endpoint === taxStatementsApi.list) return Promise.resolve({ statements });
    if (endpoint !== taxStatementsApi.rows) return new Promise(() => undefined);
    requestedInputs.push(input);
    return Promise.resolve({ rows: [], next_after: null });
  });
  render(
    <QueryClientProvider client={createQueryClient()}>
      <MemoryRouter initialEntries={[`/?company_id=${COMPANY}`]}>
        <AppProviders>
          <TaxStatementsScreen />
        </AppProviders>
      </MemoryRouter>
    </QueryClientProvider>,
  );
  return requestedInputs;
}

it('shows the rejected rows of an earlier statement when their number is clicked', async () => {
  const requestedInputs = open([createStatement('11', { clients_taken: 3 }), createStatement('12', { refused: 2 })]);
  const clients = await screen.findByRole('link', { name: '3 clients' });
  expect(clients.getAttribute('href')).toContain('action=statement_updated%3A00000000-0000-4000-8000-000000000011');
  fireEvent.click(screen.getByRole('link', { name: '2 rows' }));
  expect(await screen.findByRole('heading', { name: 'statement-12.csv' })).toBeTruthy();
  expect(requestedInputs.at(-1)).toMatchObject({ statement_id: '00000000-0000-4000-8000-000000000012', outcome: 'refused' });
  expect(screen.queryByRole('heading', { name: 'statement-11.csv' })).toBeNull();
});

it('keeps the list of updated clients, but shows no number of rows, once the rows are deleted', async () => {
  const requestedInputs = open([createStatement('13', { refused: 5, rows_until: null })]);
  expect(await screen.findByRole('link', { name: '4 clients' })).toBeTruthy();
  expect(screen.getByText(/Some rows were rejected and have since been deleted./)).toBeTruthy();
  expect(screen.queryByText(/5 rows/)).toBeNull();
  expect(screen.queryByRole('list', { name: 'Rows by outcome' })).toBeNull();
  expect(requestedInputs).toEqual([]);
});

it('counts clients removed since separately from those that its list shows', async () => {
  open([createStatement('14', { clients_taken: 3, clients_removed: 1 })]);
  expect(await screen.findByRole('link', { name: '3 clients' })).toBeTruthy();
  expect(screen.getByText(/Updated figures for/).textContent).toContain('Updated figures for 3 clients and 1 client since removed.');
});

it('shows no number of updated clients where an earlier version deleted which they were', async () => {
  open([createStatement('15', { clients_taken: 0, clients_removed: null, rows_until: null })]);
  expect(await screen.findByText(/Clients were updated. The list of clients is no longer stored./)).toBeTruthy();
  expect(screen.queryByRole('link', { name: /client/ })).toBeNull();
  expect(screen.queryByText(/9 rows/)).toBeNull();
});
