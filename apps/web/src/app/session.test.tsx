// Tests docs/product/specification.md sections 4 ("Login state") and 8 with the real shell and router and a fake HTTP server.
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { useLocation } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { notifyOtherTabsOfLogOut } from '../lib/log-out-broadcast.ts';
import { createAppHistory } from '../lib/app-history.ts';
import { PORTAL_BASE } from '../lib/settings.ts';
import { AppProviders } from '../core/app-providers.tsx';
import { AppRouter } from './app-router.tsx';
import { Shell } from './shell.tsx';

type CheckResponse =
  | { readonly status: number; readonly body: string }
  | 'network fails'
  | Promise<{ readonly status: number; readonly body: string }>;

const SIGNED_OUT: CheckResponse = { status: 200, body: '' };
const TESSA: CheckResponse = { status: 200, body: JSON.stringify({ type: 'trader', full_name: 'Tessa Bright', home_path: '/home' }) };

/** Serves these responses to successive login checks and repeats the last one. */
function mockChecks(...responses: readonly CheckResponse[]): { readonly count: () => number } {
  let checks = 0;
  vi.stubGlobal('fetch', async (url: string) => {
    if (!url.startsWith('/portal/v2/check-login')) return new Response('{}', { status: 404 });
    const nextResponse = await responses[Math.min(checks++, responses.length - 1)];
    if (nextResponse === undefined || nextResponse === 'network fails') throw new TypeError('Failed to fetch');
    return new Response(nextResponse.body, { status: nextResponse.status });
  });
  return { count: () => checks };
}

function PageAtPath() {
  return <h1>{`The page ${useLocation().pathname}`}</h1>;
}

function open(path: string) {
  history.replaceState(null, '', `${PORTAL_BASE}${path}`);
  const appHistory = createAppHistory();
  render(
    <AppProviders>
      <AppRouter history={appHistory}>
        <Shell>
          <PageAtPath />
        </Shell>
      </AppRouter>
    </AppProviders>,
  );
  return appHistory;
}

const findHeading = (path: string) => screen.findByRole('heading', { name: `The page ${path}` });
const listHeadings = () => screen.queryAllByRole('heading').map(({ textContent }) => textContent);

beforeEach(() => vi.stubGlobal('scrollTo', () => undefined));

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.useRealTimers();
  localStorage.clear();
  sessionStorage.clear();
  history.replaceState(null, '', '/');
});

describe('a signed-in user', () => {
  it('sees a private page', async () => {
    mockChecks(TESSA);
    open('/company');
    expect(await findHeading('/company')).toBeTruthy();
    expect(localStorage.getItem('post-login-redirect')).toBeNull();
  });

  it.each([
    ['/company', { local: 'c1', session: 'tessa@brightwell.example' }],
    ['/logout', { local: undefined, session: undefined }],
  ])('at %s has their company and drafts saved, or cleared after logging out', async (path, kept) => {
    const tessa = { type: 'trader', email: 'tessa@brightwell.example', home_path: '/home?company_id=c1' };
    const checks = mockChecks({ status: 200, body: JSON.stringify(tessa) });
    open(path);
    await waitFor(() => expect(checks.count()).toBe(1));
    expect(await findHeading(path)).toBeTruthy();
    const company = JSON.parse(localStorage.getItem('g-company') ?? '{}') as { companyId?: string };
    expect({ local: company.companyId, session: sessionStorage.getItem('form-draft-owner') ?? undefined }).toEqual(kept);
  });

  it('is redirected from the login page to /home', async () => {
    mockChecks(TESSA);
    open('/login');
    expect(await findHeading('/home')).toBeTruthy();
    expect(location.pathname).toBe('/portal/home');
  });

  it('is redirected from the login page to the requested page, once', async () => {
    localStorage.setItem('post-login-redirect', '/portal/company?company_id=c1');
    mockChecks(TESSA);
    open('/login');
    expect(await findHeading('/company')).toBeTruthy();
    expect(`${location.pathname}${location.search}`).toBe('/portal/company?company_id=c1');
    expect(localStorage.getItem('post-login-redirect')).toBeNull();
  });
});

describe('a visitor', () => {
  it('sees the login page once the check has finished', async () => {
    const slow = Promise.withResolvers<{ status: number; body: string }>();
    mockChecks(slow.promise);
    open('/login');
    expect(await screen.findByText('Loading')).toBeTruthy();
    expect(listHeadings()).toEqual([]);
    slow.resolve({ status: 200, body: '{}' });
    expect(await findHeading('/login')).toBeTruthy();
    expect(screen.queryByText('Loading')).toBeNull();
  });

  it.each(['/privacy', '/v2/instant-vat/steps/about'])('stays on the public page %s', async (path) => {
    const checks = mockChecks(SIGNED_OUT);
    open(path);
    await waitFor(() => expect(checks.count()).toBe(1));
    expect(await findHeading(path)).toBeTruthy();
    expect(location.pathname).toBe(`${PORTAL_BASE}${path}`);
    expect(localStorage.getItem('post-login-redirect')).toBeNull();
  });

  it('is redirected from other pages to the login page, and the path is saved with its prefix', async () => {
    mockChecks(SIGNED_OUT);
    open('/company?company_id=c1');
    expect(await findHeading('/login')).toBeTruthy();
    expect(localStorage.getItem('post-login-redirect')).toBe('/portal/company?company_id=c1');
  });

  it('never sees a private page during a slow check', async () => {
    const slow = Promise.withResolvers<{ status: number; body: string }>();
    mockChecks(slow.promise);
    open('/company');
    expect(await screen.findByText('Loading')).toBeTruthy();
    const seenHeadings: unknown[] = [];
    const watcher = new MutationObserver(() => seenHeadings.push(...listHeadings()));
    watcher.observe(document.body, { subtree: true, childList: true, attributes: true });
    slow.resolve({ status: 200, body: '' });
    expect(await findHeading('/login')).toBeTruthy();
    watcher.disconnect();
    expect(new Set(seenHeadings)).toEqual(new Set(['The page /login']));
  });

  it('is asked to log in at a later step, stays there and returns after logging in', async () => {
    mockChecks(SIGNED_OUT, TESSA);
    open('/v2/instant-vat/steps/bank-account?company_id=c1');
    expect(await screen.findByRole('heading', { name: 'Log in to continue your sign-up' })).toBeTruthy();
    expect(location.pathname).toBe('/portal/v2/instant-vat/steps/bank-account');
    screen.getByRole('link', { name: 'Log in' }).click();
    expect(await findHeading('/login')).toBeTruthy();
    cleanup();
    open('/login');
    expect(await findHeading('/v2/instant-vat/steps/bank-account')).toBeTruthy();
    expect(location.search).toBe('?company_id=c1');
  });
});

describe('a failed login check', () => {
  it.each([
    ['for want of a network', 'network fails'],
    ['on the server', { status: 500, body: '{"message":"The portal has a fault"}' }],
  ] as const)('%s does not redirect', async (_name, sessionResponse) => {
    mockChecks(sessionResponse);
    open('/company');
    expect(await findHeading('/company')).toBeTruthy();
    expect(localStorage.getItem('post-login-redirect')).toBeNull();
  });
});

describe('the login check', () => {
  it('runs for the first of several quick page changes, and again after a second without any', async () => {
    const checks = mockChecks(TESSA);
    const appHistory = open('/home');
    await findHeading('/home');
    act(() => appHistory.push('/portal/company'));
    await findHeading('/company');
    act(() => appHistory.push('/portal/privacy'));
    await findHeading('/privacy');
    expect(checks.count()).toBe(1);
    await new Promise((done) => setTimeout(done, 1_050));
    act(() => appHistory.push('/portal/home'));
    await waitFor(() => expect(checks.count()).toBe(2));
  });

  it('notices an expired session at the next page', async () => {
    mockChecks(TESSA, SIGNED_OUT);
    const appHistory = open('/home');
    await findHeading('/home');
    await new Promise((done) => setTimeout(done, 1_050));
    act(() => appHistory.push('/portal/company'));
    expect(await findHeading('/login')).toBeTruthy();
    expect(localStorage.getItem('post-login-redirect')).toBe('/portal/company');
  });

  it('saves the company of the user’s home for pages opened without one', async () => {
    mockChecks({ status: 200, body: JSON.stringify({ type: 'trader', home_path: '/v2/instant-vat/dashboard?company_id=c9' }) });
    open('/company');
    await findHeading('/company');
    expect(localStorage.getItem('g-company')).toBe('{"companyId":"c9"}');
  });

  it('saves no company on the logout route, which has just cleared the storage', async () => {
    mockChecks({ status: 200, body: JSON.stringify({ type: 'trader', home_path: '/v2/instant-vat/dashboard?company_id=c9' }) });
    open('/logout');
    await findHeading('/logout');
    expect(localStorage.getItem('g-company')).toBeNull();
  });

  it('ignores a slow response that is older than the last one applied', async () => {
    const slow = Promise.withResolvers<{ status: number; body: string }>();
    mockChecks(slow.promise, SIGNED_OUT);
    const appHistory = open('/privacy');
    await findHeading('/privacy');
    await new Promise((done) => setTimeout(done, 1_050));
    act(() => appHistory.push('/portal/company'));
    expect(await findHeading('/login')).toBeTruthy();
    slow.resolve({ status: 200, body: JSON.stringify({ type: 'trader', home_path: '/v2/instant-vat/dashboard?company_id=c9' }) });
    await new Promise((done) => setTimeout(done, 50));
    expect(await findHeading('/login')).toBeTruthy();
    expect(localStorage.getItem('g-company')).toBeNull();
  });
});

describe('a log-out in another tab', () => {
  it('leaves this one on a public page and checks the session', async () => {
    const checks = mockChecks(TESSA, SIGNED_OUT);
    open('/privacy');
    await findHeading('/privacy');
    notifyOtherTabsOfLogOut();
    await waitFor(() => expect(checks.count()).toBe(2));
    expect(await findHeading('/privacy')).toBeTruthy();
  });
});
