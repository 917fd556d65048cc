import type { ImportTable } from '@portal/contract/client-imports.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { AppProviders } from '../../core/app-providers.tsx';
import { createQueryClient } from '../../lib/query-client.ts';
import { MapColumns } from './map-columns.tsx';

afterEach(cleanup);

const TABLE: ImportTable = {
  sheet: 0,
  sheets: [],
  header_line: 1,
  first_lines: [],
  columns: [{ heading: 'Who', samples: ['Oak Ltd'], target: null }],
};

it('a name column must be chosen before “Continue” can be pressed', () => {
  render(
    <AppProviders>
      <QueryClientProvider client={createQueryClient()}>
        <MapColumns companyId="c" importId="i" table={TABLE} cancel={undefined} onSave={() => undefined} onMapped={() => undefined} />
      </QueryClientProvider>
    </AppProviders>,
  );
  const getContinueButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Continue' });
  expect(getContinueButton().disabled).toBe(true);
  screen.getByRole('button', { name: 'Continue', description: 'Choose which column contains the client’s name.' });

  fireEvent.change(screen.getByRole('combobox', { name: /Who/u }), { target: { value: 'name' } });
  expect(getContinueButton().disabled).toBe(false);
});
