// Tests docs/product/specification.md sections 4 ("Queries") and 7 (the generic fetcher): the key is the path followed by the parameters;
// no retry, no refetch on focus.
import { endpoint } from '@portal/contract/endpoint.ts';
import { QueryClientProvider, focusManager, useQuery } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod/mini';
import { apiQuery } from './api.ts';
import { createQueryClient } from './query-client.ts';

const amounts = endpoint({
  method: 'GET',
  path: '/open-tax/upcoming-vat-amounts',
  access: 'public',
  summary: '',
  input: z.object({ company_id: z.string(), tax_year: z.optional(z.string()) }),
  output: z.object({ total: z.number() }),
});

function Probe({ input }: { input: { company_id: string; tax_year?: string } }) {
  const { data, error } = useQuery({ ...apiQuery(amounts, input), enabled: input.company_id !== '' });
  return <p>{error?.message ?? (data === undefined ? 'nothing yet' : `total ${data.total}`)}</p>;
}

function open(input: { company_id: string; tax_year?: string }): void {
  render(
    <QueryClientProvider client={createQueryClient()}>
      <Probe input={input} />
    </QueryClientProvider>,
  );
}

function respondWith(status: number, body: object): string[] {
  const requestedUrls: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    requestedUrls.push(url);
    return new Response(JSON.stringify(body), { status });
  });
  return requestedUrls;
}

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  focusManager.setFocused(undefined);
});

describe('a query', () => {
  it('has the path and the parameters as its key', () => {
    expect(apiQuery(amounts, { company_id: 'c1' }).queryKey).toEqual(['/open-tax/upcoming-vat-amounts', { company_id: 'c1' }]);
  });

  it('requests the path with the parameters', async () => {
    const requestedUrls = respondWith(200, { total: 3 });
    open({ company_id: 'c1', tax_year: '2026' });
    expect(await screen.findByText('total 3')).toBeTruthy();
    expect(requestedUrls).toEqual(['/portal/open-tax/upcoming-vat-amounts?company_id=c1&tax_year=2026']);
  });

  it('is not retried when it fails', async () => {
    const requestedUrls = respondWith(500, { message: 'Sorry, there’s a problem with our service' });
    open({ company_id: 'c1' });
    expect(await screen.findByText('Sorry, there’s a problem with our service')).toBeTruthy();
    expect(requestedUrls).toHaveLength(1);
  });

  it('is not refetched when the window is focused', async () => {
    const requestedUrls = respondWith(200, { total: 3 });
    open({ company_id: 'c1' });
    await screen.findByText('total 3');
    focusManager.setFocused(false);
    focusManager.setFocused(true);
    await new Promise((done) => setTimeout(done, 20));
    expect(requestedUrls).toHaveLength(1);
  });

  it('is not sent without a company', async () => {
    const requestedUrls = respondWith(200, { total: 3 });
    open({ company_id: '' });
    await new Promise((done) => setTimeout(done, 20));
    expect(screen.getByText('nothing yet')).toBeTruthy();
    expect(requestedUrls).toEqual([]);
  });

  it('keeps TanStack’s default gcTime and has no retries', () => {
    const { queries, mutations } = createQueryClient().getDefaultOptions();
    expect(queries).toMatchObject({ retry: false, refetchOnWindowFocus: false });
    expect(queries).not.toHaveProperty('gcTime');
    expect(mutations).toMatchObject({ retry: false });
  });
});
