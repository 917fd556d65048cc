// The prefetched URLs must match the contract's, or the app would request the data again.
import { dashboardApi } from '@portal/contract/dashboard.ts';
import { identityApi } from '@portal/contract/identity.ts';
import { PAGES } from '@portal/contract/pages.ts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { consumePrefetchedResponse } from '../lib/prefetched-responses.ts';
import { getRequestUrl } from '../lib/http-transport.ts';
import { PORTAL_BASE } from '../lib/settings.ts';
import { prefetchFirstData } from './first-data.ts';

const COMPANY = { company_id: '0199c1b0-0000-7000-8000-00000000000a' };
const CALLS = [
  getRequestUrl(identityApi.checkLogin, {}),
  getRequestUrl(dashboardApi.get, COMPANY),
  getRequestUrl(identityApi.dashboardCompanyName, COMPANY),
];

function open(path: string, search = ''): string[] {
  const requestedUrls: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    requestedUrls.push(url);
    return new Response('{}');
  });
  prefetchFirstData({ pathname: `${PORTAL_BASE}${path}`, search });
  return requestedUrls;
}

afterEach(() => {
  for (const url of CALLS) void consumePrefetchedResponse(url);
  vi.unstubAllGlobals();
});

describe('prefetched data', () => {
  it('for the dashboard is the session, the figures and the company’s name, each once', async () => {
    expect(open(PAGES.dashboard.path, `?company_id=${COMPANY.company_id}`)).toEqual(CALLS);
    for (const url of CALLS) {
      expect((await consumePrefetchedResponse(url))?.ok).toBe(true);
      expect(consumePrefetchedResponse(url)).toBeUndefined();
    }
  });

  it('for other private pages, and a dashboard without a company, is the session only', () => {
    expect(open(PAGES.profile.path, `?company_id=${COMPANY.company_id}`)).toEqual(CALLS.slice(0, 1));
    expect(open(PAGES.dashboard.path)).toEqual(CALLS.slice(0, 1));
  });

  it('is empty for public pages and the demo', () => {
    for (const path of [PAGES.help.path, PAGES.demo.path, '/nothing-here']) expect(open(path)).toEqual([]);
  });

  it('is not used once it is too old', () => {
    vi.useFakeTimers();
    open(PAGES.dashboard.path);
    vi.advanceTimersByTime(30_000);
    expect(consumePrefetchedResponse(CALLS[0] ?? '')).toBeUndefined();
    vi.useRealTimers();
  });
});
