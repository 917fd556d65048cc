// Tests who sees a practice's page, and who sees the way to a practice instead.
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, describe, expect, it } from 'vitest';
import { ApiError, setTransport } from '../../lib/api.ts';
import { createQueryClient } from '../../lib/query-client.ts';
import { PracticePage } from './practice-page.tsx';

let undo = () => undefined as void;
afterEach(() => {
  cleanup();
  undo();
  localStorage.clear();
});

function show(address: string, transport: () => Promise<unknown> = () => new Promise<never>(() => undefined)) {
  undo = setTransport(transport);
  render(
    <MemoryRouter initialEntries={[address]}>
      <QueryClientProvider client={createQueryClient()}>
        <PracticePage title="Client groups">Three groups</PracticePage>
      </QueryClientProvider>
    </MemoryRouter>,
  );
}

const PRACTICE = '/open-tax/groups?company_id=7d2f0a52-3c1e-4c6e-9f0e-4a2f5b1c8d10';

describe('a practice’s page', () => {
  it('appears before the practice’s profile is known, with OpenTax’s navigation', () => {
    show(PRACTICE);
    expect(screen.getByText('Three groups')).toBeTruthy();
    expect(screen.getByRole('navigation', { name: 'OpenTax' })).toBeTruthy();
  });

  it('isn’t shown for a company that isn’t one of the user’s practices', async () => {
    show(PRACTICE, () => Promise.reject(new ApiError({ status: 404, code: 'company.not_found', message: 'Company not found.' })));
    expect(await screen.findByRole('link', { name: 'Set up a practice' })).toBeTruthy();
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Client groups');
    expect(screen.queryByText('Three groups')).toBeNull();
  });

  it('isn’t shown without a company in the address or in the browser', async () => {
    show('/open-tax/groups');
    expect(await screen.findByRole('link', { name: 'Your companies' })).toBeTruthy();
    expect(screen.queryByText('Three groups')).toBeNull();
  });

  it('stays when the profile can’t be read for another reason', async () => {
    let isAsked = false;
    show(PRACTICE, () => {
      isAsked = true;
      return Promise.reject(new ApiError({ status: 403, code: 'access.denied', message: 'Not allowed.' }));
    });
    await expect.poll(() => isAsked).toBe(true);
    expect(screen.getByText('Three groups')).toBeTruthy();
  });
});
