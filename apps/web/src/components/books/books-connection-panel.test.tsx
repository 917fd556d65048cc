import type { BooksConnection, BooksConnectionState } from '@portal/contract/books-connection.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, it } from 'vitest';
import { AppProviders } from '../../core/app-providers.tsx';
import { createQueryClient } from '../../lib/query-client.ts';
import { BooksConnectionPanel } from './books-connection-panel.tsx';

afterEach(cleanup);

it.each([
  ['Tess Exports Ltd', 'We no longer have access to Tess Exports Ltd in Xero.'],
  [null, 'We no longer have access to this organisation in Xero.'],
])('says which organisation was removed from which software (%s)', (organisation, text) => {
  const connection = {
    program: 'xero',
    status: 'lost',
    lost_reason: 'removed',
    lost_at: '2026-11-10T09:00:00.000Z',
    is_by_practice: false,
    organisation_name: organisation,
    organisations: [],
    vat_number: null,
    basis: null,
    reading: null,
    problem: null,
    last_read_at: null,
    locked_until: null,
    not_permitted: [],
    has_no_supplier_numbers: false,
    rate_questions: [],
  } as unknown as BooksConnection;
  const state = { available: ['xero'], connection } as unknown as BooksConnectionState;
  render(
    <MemoryRouter>
      <AppProviders>
        <QueryClientProvider client={createQueryClient()}>
          <BooksConnectionPanel target={{ company_id: 'c' }} state={state} returnTo="books" />
        </QueryClientProvider>
      </AppProviders>
    </MemoryRouter>,
  );
  expect(screen.getByText(/no longer have access/u).textContent).toContain(text);
});
