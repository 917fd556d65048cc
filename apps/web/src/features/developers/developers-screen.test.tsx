/** Tests what someone who follows the developers' page from top to bottom needs, besides the examples that another test runs. */
import { LOAD_SANDBOX_CLIENTS, LOCAL_RECEIVER } from '@portal/contract/developer-examples.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { AppProviders } from '../../core/app-providers.tsx';
import { createQueryClient } from '../../lib/query-client.ts';
import { DevelopersScreen } from './developers-screen.tsx';

let text = '';
beforeEach(() => {
  const { container } = render(
    <QueryClientProvider client={createQueryClient()}>
      <AppProviders>
        <MemoryRouter>
          <DevelopersScreen />
        </MemoryRouter>
      </AppProviders>
    </QueryClientProvider>,
  );
  text = container.textContent ?? '';
});
afterEach(cleanup);

it('says how a new sandbox gets overdue clients, before it lists them', () => {
  expect(text).toContain(LOAD_SANDBOX_CLIENTS);
  expect(text.indexOf(LOAD_SANDBOX_CLIENTS)).toBeLessThan(text.indexOf('has=overdue_any'));
});

it('names the version of Node.js that runs TypeScript files', () => {
  expect(text).toContain('Node.js 22.18 or later');
  expect(text.indexOf('Node.js 22.18 or later')).toBeLessThan(text.indexOf('createPortalClient'));
});

it('leads to the test webhook in the order in which it works: address, secret, receiver, test', () => {
  const steps = [LOCAL_RECEIVER, 'copy the signing secret', 'start the receiver', 'Deliveries and test'].map((step) => text.indexOf(step));
  expect(steps.every((at) => at >= 0)).toBe(true);
  expect(steps).toEqual(steps.toSorted((a, b) => a - b));
});
