import { invitationRunsApi, type InvitationRow } from '@portal/contract/invitation-runs.ts';
import { toInstant } from '@portal/domain/clock.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, it } from 'vitest';
import { AppProviders } from '../../core/app-providers.tsx';
import { setTransport } from '../../lib/api.ts';
import { createQueryClient } from '../../lib/query-client.ts';
import { InvitationList } from './invitation-list.tsx';

let undo = () => undefined as void;
afterEach(() => {
  cleanup();
  undo();
});

const COUNTS = { draft: 0, sent: 1_200, opened: 0, accepted: 0, expired: 0, revoked: 0, bounced: 3 };
const at = toInstant(Date.parse('2026-11-22T10:00:00Z'));
const toRow = (id: string): InvitationRow => ({
  invitation_id: `00000000-0000-4000-8000-00000000000${id}`,
  client_id: `00000000-0000-4000-8000-00000000001${id}`,
  name: `Client ${id}`,
  email: `${id}@list.example`,
  state: 'sent',
  sent_at: at,
  expires_at: null,
});

/** Responds with pages as the server does: counts only with the first page, and no matches for a search. */
function renderList(): Record<string, unknown>[] {
  const calls: Record<string, unknown>[] = [];
  undo = setTransport((endpoint, input) => {
    if (endpoint !== invitationRunsApi.states) return new Promise(() => undefined);
    const query = input as Record<string, unknown>;
    calls.push(query);
    if (query['cursor'] === 'second') return Promise.resolve({ counts: null, rows: [toRow('c')], next_cursor: null });
    if (query['q'] !== undefined) return Promise.resolve({ counts: { ...COUNTS, sent: 0, bounced: 0 }, rows: [], next_cursor: null });
    return Promise.resolve({ counts: COUNTS, rows: [toRow('a'), toRow('b')], next_cursor: 'second' });
  });
  render(
    <AppProviders>
      <QueryClientProvider client={createQueryClient()}>
        <MemoryRouter>
          <InvitationList companyId="p-1" />
        </MemoryRouter>
      </QueryClientProvider>
    </AppProviders>,
  );
  return calls;
}

it('shows the counts of each status, and adds the next page', async () => {
  renderList();
  expect(await screen.findByText('2 of 1,203 shown, newest first')).toBeTruthy();
  expect(screen.getByRole('option', { name: 'Bounced (3)' })).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Show more' }));
  expect(await screen.findByText('3 of 1,203 shown, newest first')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Client c' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
});

it('sends the search and the status, and offers to clear them if nothing matches', async () => {
  const calls = renderList();
  fireEvent.change(await screen.findByRole('searchbox', { name: 'Search invitations' }), { target: { value: 'harbour' } });
  expect(await screen.findByText('No invitations match')).toBeTruthy();
  expect(calls.at(-1)).toMatchObject({ q: 'harbour' });
  fireEvent.change(screen.getByRole('combobox', { name: 'Status' }), { target: { value: 'bounced' } });
  await screen.findByText('No invitations match');
  expect(calls.at(-1)).toMatchObject({ q: 'harbour', state: 'bounced' });
  fireEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
  expect(await screen.findByText('2 of 1,203 shown, newest first')).toBeTruthy();
});
