// Tests that an import can be undone for a day, even if another file was imported after it.
import { clientImportsApi, type ClientImport, type ImportTable } from '@portal/contract/client-imports.ts';
import { toInstant } from '@portal/domain/clock.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AppProviders } from '../../core/app-providers.tsx';
import { setTransport } from '../../lib/api.ts';
import { createQueryClient } from '../../lib/query-client.ts';
import { ClientImportScreen } from './client-import-screen.tsx';

const COMPANY = '00000000-0000-4000-8000-000000000001';
const [FIRST, SECOND] = ['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000b'];
const at = toInstant(Date.UTC(2026, 10, 22, 9, 14));

const createImport = (id: string, name: string): ClientImport => ({
  import_id: id,
  file_name: name,
  source: 'file',
  state: 'completed',
  counts: {
    new: 2,
    matched: 0,
    ambiguous: 0,
    duplicate: 0,
    invalid: 0,
    skipped: 0,
    needs_fixing: 0,
    not_client: 0,
    archived: 0,
    status_differs: 0,
  },
  status_choices: { prospects: 'leave_out', existing: 'keep' },
  rows_done: 2,
  rows_total: 2,
  applied: { new: 2, matched: 0 },
  undone: { removed: 0, restored: 0, kept: 0 },
  ignored_columns: [],
  table: null,
  started_by: 'Priya Oakes',
  created_at: at,
  ended_at: at,
  rows_removed: false,
  undo_until: toInstant(Date.UTC(2026, 10, 23, 9, 14)),
  reason: null,
});
const FILES = [createImport(SECOND, 'second.csv'), createImport(FIRST, 'first.csv')];

let shownFiles = FILES;
const TABLE: ImportTable = {
  sheets: [],
  sheet: 0,
  header_line: 3,
  first_lines: [],
  columns: [{ heading: 'Client Name', samples: ['Alder Bakery Ltd'], target: 'name' }],
};

let undo = () => undefined as void;
beforeEach(() => {
  vi.stubGlobal(
    'EventSource',
    class extends EventTarget {
      close = (): void => undefined;
    },
  );
  undo = setTransport((endpoint, input) => {
    if (endpoint === clientImportsApi.map) {
      shownFiles = shownFiles.map((file) => ({ ...file, state: 'ready' as const }));
      return Promise.resolve({ import: shownFiles[0] });
    }
    if (endpoint !== clientImportsApi.info) return new Promise(() => undefined);
    const shownFile = shownFiles.find((file) => file.import_id === (input['import_id'] ?? SECOND));
    return Promise.resolve({ import: shownFile, earlier: shownFiles.filter((file) => file !== shownFile) });
  });
});
afterEach(() => {
  shownFiles = FILES;
  cleanup();
  undo();
  vi.unstubAllGlobals();
});

function open(): void {
  render(
    <MemoryRouter initialEntries={[`/v2/open-tax/clients/import?company_id=${COMPANY}`]}>
      <QueryClientProvider client={createQueryClient()}>
        <AppProviders>
          <ClientImportScreen />
        </AppProviders>
      </QueryClientProvider>
    </MemoryRouter>,
  );
}

it('goes to the preview after the columns were chosen, at the end of a long list', async () => {
  shownFiles = [{ ...createImport(SECOND, 'second.csv'), state: 'mapping', table: TABLE }];
  open();
  fireEvent.click(await screen.findByRole('button', { name: 'Continue' }));
  const preview = await screen.findByText('Preview: nothing has changed yet');
  await expect.poll(() => document.activeElement !== document.body && document.activeElement?.contains(preview)).toBe(true);
});

it('says how many rows were left out, and what to do about them', async () => {
  const file = createImport(SECOND, 'second.csv');
  shownFiles = [{ ...file, counts: { ...file.counts, invalid: 1 } }];
  open();
  expect((await screen.findByText(/couldn’t be imported\. Correct it below/)).textContent).toContain('1 row couldn’t be imported.');
  // The number links to the rows.
  expect(screen.getByRole('link', { name: '1 row' }).getAttribute('href')).toContain('outcome=invalid');
});

it('says that a list was read from software, without columns to choose', async () => {
  const name = 'Clients in FreeAgent, 22 November 2026';
  shownFiles = [
    { ...createImport(SECOND, name), source: 'freeagent_list', state: 'ready', counts: { ...createImport(SECOND, name).counts, new: 2 } },
  ];
  open();
  expect(await screen.findByRole('heading', { name })).toBeTruthy();
  expect(screen.getByText(/2 rows, read by Priya Oakes/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Change columns' })).toBeNull();
});

it('links from the newest import to each earlier one, which can be undone too', async () => {
  open();
  expect(await screen.findByRole('heading', { name: 'second.csv' })).toBeTruthy();
  fireEvent.click(screen.getByRole('link', { name: 'first.csv' }));
  expect(await screen.findByRole('heading', { name: 'first.csv' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Undo import' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'second.csv' })).toBeTruthy();
});
