// Tests that switching company keeps the page if the other company has it, and never shows one company's page for another.
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AppProviders } from '../../core/app-providers.tsx';
import { setTransport } from '../../lib/api.ts';
import { createQueryClient } from '../../lib/query-client.ts';
import { CompanySwitcher } from './company-switcher.tsx';

const ALBION = {
  company_id: '0199c1b0-0000-7000-8000-00000000000a',
  name: 'Albion Ltd',
  kind: 'trader',
  role: 'trader_owner',
  permissions: [],
};
const BRIGHT = { ...ALBION, company_id: '0199c1b0-0000-7000-8000-00000000000b', name: 'Brightwell Ltd' };
const OAKLINE = {
  ...ALBION,
  company_id: '0199c1b0-0000-7000-8000-00000000000c',
  name: 'Oakline',
  kind: 'practice',
  role: 'practice_admin',
  permissions: [],
};

let undo = () => undefined as void;
let requests: string[];
beforeEach(() => {
  requests = [];
});
afterEach(() => {
  cleanup();
  undo();
  vi.unstubAllGlobals();
});

function open(companies: readonly (typeof ALBION)[], path: string, isWide = true) {
  const listens = { addEventListener: () => undefined, removeEventListener: () => undefined };
  vi.stubGlobal('matchMedia', (media: string) => ({ matches: isWide && media.includes('min-width'), media, ...listens }));
  undo = setTransport(async (endpoint) => {
    requests.push(endpoint.path);
    return companies;
  });
  render(
    <QueryClientProvider client={createQueryClient()}>
      <MemoryRouter initialEntries={[path]}>
        <AppProviders>
          <CompanySwitcher companyId={ALBION.company_id} />
        </AppProviders>
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

async function listEntries() {
  fireEvent.click(await screen.findByRole('button', { name: /Albion Ltd/ }));
  const entries = await screen.findAllByRole('menuitem');
  return entries.map((entry) => [entry.textContent, entry.getAttribute('href'), entry.getAttribute('aria-current')]);
}

it('the switcher leads to the same page of another trader, and to the dashboard of a practice', async () => {
  open([ALBION, BRIGHT, OAKLINE], '/v2/instant-vat/dashboard/books');
  const [ownEntry, otherEntry, practice, all] = await listEntries();
  expect(ownEntry?.[2]).toBeTruthy();
  expect(otherEntry).toEqual(['Brightwell Ltd', `/v2/instant-vat/dashboard/books?company_id=${BRIGHT.company_id}`, null]);
  expect(practice?.[1]).toBe(`/v2/open-tax/dashboard?company_id=${OAKLINE.company_id}`);
  expect(all?.[0]).toBe('All companies');
});

it('the switcher leads to the overview from a page of one company only', async () => {
  open([ALBION, BRIGHT], '/v2/instant-vat/dashboard/vat-return?obligation_id=18A1');
  expect((await listEntries())[1]?.[1]).toBe(`/v2/instant-vat/dashboard?company_id=${BRIGHT.company_id}`);
});

it('the switcher is not shown to someone with one company, nor on small screens, which have the menu', async () => {
  open([ALBION], '/v2/instant-vat/dashboard');
  await expect.poll(() => requests).toEqual(['/user-companies']);
  expect(screen.queryByRole('button')).toBeNull();
  cleanup();
  undo();
  open([ALBION, BRIGHT], '/v2/instant-vat/dashboard', false);
  expect(requests).toEqual(['/user-companies']);
  expect(screen.queryByRole('button')).toBeNull();
});
