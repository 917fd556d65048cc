// A link without the record that a page is about says so, and doesn’t load forever.
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, it } from 'vitest';
import { AppProviders } from '../core/app-providers.tsx';
import { ClientGroupScreen } from '../features/client-groups/client-group-screen.tsx';
import { MemberAccessReportScreen } from '../features/team/member-access-report-screen.tsx';
import { setTransport } from '../lib/api.ts';
import { createQueryClient } from '../lib/query-client.ts';

let undo = () => undefined as void;
afterEach(() => {
  cleanup();
  undo();
});

it.each([
  ['a client group', ClientGroupScreen, 'Group not found'],
  ['a team member’s access report', MemberAccessReportScreen, 'Team member not found'],
])('%s', async (_name, Screen, title) => {
  undo = setTransport(() => new Promise(() => undefined));
  render(
    <QueryClientProvider client={createQueryClient()}>
      <MemoryRouter initialEntries={['/?company_id=00000000-0000-4000-8000-000000000001']}>
        <AppProviders>
          <Screen />
        </AppProviders>
      </MemoryRouter>
    </QueryClientProvider>,
  );
  expect(await screen.findByText(title)).toBeTruthy();
  expect(screen.queryByText('Loading')).toBeNull();
});
