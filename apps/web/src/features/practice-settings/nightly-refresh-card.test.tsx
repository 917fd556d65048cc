// Tests that, until HMRC's response about its headers is recorded, the nightly refresh never runs and can't be switched on.
import { nightlyRefreshApi } from '@portal/contract/nightly-refresh.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { AppProviders } from '../../core/app-providers.tsx';
import { setTransport } from '../../lib/api.ts';
import { createQueryClient } from '../../lib/query-client.ts';
import { NightlyRefreshCard } from './nightly-refresh-card.tsx';

let undo = () => undefined as void;
afterEach(() => {
  cleanup();
  undo();
});

function open(state: { is_on: boolean; is_confirmed: boolean }, isAdmin = true) {
  let current = state;
  const savedInputs: unknown[] = [];
  undo = setTransport(async (endpoint, input) => {
    if (endpoint !== nightlyRefreshApi.save) return { ...current, last_started_at: null };
    savedInputs.push(input);
    current = { ...current, is_on: input['is_on'] === true };
    return { done: true };
  });
  render(
    <AppProviders>
      <QueryClientProvider client={createQueryClient()}>
        <NightlyRefreshCard companyId="p-1" isAdmin={isAdmin} />
      </QueryClientProvider>
    </AppProviders>,
  );
  return savedInputs;
}

it.each([
  [{ is_on: false, is_confirmed: false }, /^Off\. We’re waiting for HMRC/, null],
  [{ is_on: true, is_confirmed: false }, /^On, but paused\. We’re waiting for HMRC/, 'Turn off'],
  [{ is_on: false, is_confirmed: true }, /^Off\. Turn it on/, 'Turn on'],
  [{ is_on: true, is_confirmed: true }, /^On\. Between 2am and 5am/, 'Turn off'],
])('describes the status and offers what is possible: %j', async (state, text, button) => {
  open(state);
  expect(await screen.findByText(text)).toBeTruthy();
  expect(screen.queryByRole('button')?.textContent ?? null).toBe(button);
});

it('can be switched on for this practice, and then shows it', async () => {
  const savedInputs = open({ is_on: false, is_confirmed: true });
  fireEvent.click(await screen.findByRole('button', { name: 'Turn on' }));
  expect(await screen.findByText(/^On\. Between/)).toBeTruthy();
  expect(savedInputs).toEqual([{ company_id: 'p-1', is_on: true }]);
});

it('offers no switch to a team member', async () => {
  open({ is_on: true, is_confirmed: true }, false);
  expect(await screen.findByText(/^On\. Between/)).toBeTruthy();
  expect(screen.queryByRole('button')).toBeNull();
});
