// Specification 4, "Queries": some run only when the company id is not empty; 8: a badly formed company_id sends the browser home.
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AppProviders } from '../app/app-providers.tsx';
import { setTransport } from '../lib/api.ts';
import { createQueryClient } from '../lib/query-client.ts';
import { endedText, RefreshStatus } from './refresh-status.tsx';

let asked: unknown[];
let undo = () => undefined as void;
beforeEach(() => {
  asked = [];
  vi.stubGlobal(
    'EventSource',
    class extends EventTarget {
      close = (): void => undefined;
    },
  );
  undo = setTransport((_, input) => {
    asked.push(input['company_id']);
    return new Promise(() => undefined);
  });
});
afterEach(() => {
  cleanup();
  undo();
  vi.unstubAllGlobals();
});

function show(companyId: string): void {
  render(
    <MemoryRouter>
      <QueryClientProvider client={createQueryClient()}>
        <AppProviders>
          <RefreshStatus companyId={companyId} isAdmin />
        </AppProviders>
      </QueryClientProvider>
    </MemoryRouter>,
  );
}

it('asks nothing before it is known which practice it is for', () => {
  show('');
  expect(asked).toEqual([]);
  cleanup();
  show('p-1');
  expect(new Set(asked)).toEqual(new Set(['p-1']));
});

it.each([
  ['completed', { total: 99, done: 96, failed: 3 }, null, 'Finished: 96 clients read, 3 not read.'],
  ['completed', { total: 1, done: 1, failed: 0 }, null, 'Finished: 1 client read.'],
  ['cancelled', { total: 99, done: 12, failed: 0 }, null, 'Stopped: 12 clients read, 87 not asked about.'],
  [
    'failed',
    { total: 9, done: 0, failed: 0 },
    { code: 'grant', sentence: 'HMRC no longer lets us read.', next: 'Connect it again.' },
    'Broken off: 0 clients read, 9 not asked about. HMRC no longer lets us read. Connect it again.',
  ],
] as const)('a refresh that is %s says so: %o', (state, counts, reason, text) => {
  expect(endedText({ state, counts: { queued: 0, reading: 0, ...counts }, reason })).toBe(text);
});
