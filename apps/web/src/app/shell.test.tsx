// Tests menu state, logging out and a company name that fails to load (docs/product/specification.md sections 2.6 and 4), with the real
// shell, router and queries.
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useLocation } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createAppHistory } from '../lib/app-history.ts';
import { PORTAL_BASE } from '../lib/settings.ts';
import { Page } from '../ui/page.tsx';
import { AppProviders } from '../core/app-providers.tsx';
import { AppRouter } from './app-router.tsx';
import { Shell } from './shell.tsx';

type Answers = Record<string, { status: number; body: unknown } | Promise<unknown>>;

const TESSA = { type: 'trader', full_name: 'Tessa Bright', home_path: '/home' };
const createRow = (name: string) => ({
  company_id: '0199c1b0-0000-7000-8000-00000000000a',
  name,
  kind: 'trader',
  role: 'trader_owner',
  permissions: [],
});
const COMPANY_ID = createRow('').company_id;

/** Serves these paths and records every request. */
function serve(responses: Answers): string[] {
  const requestedPaths: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    const path = url.slice(PORTAL_BASE.length).split('?')[0] ?? '';
    requestedPaths.push(path);
    const response = await responses[path];
    const { status, body } = (response ?? { status: 404, body: {} }) as { status: number; body: unknown };
    return new Response(JSON.stringify(body), { status });
  });
  return requestedPaths;
}

const allResponses: Answers = {
  '/v2/check-login': { status: 200, body: TESSA },
  '/user-companies': { status: 200, body: [createRow('Brightwell')] },
  '/dashboard-company-name': { status: 200, body: { name: 'Brightwell Exports' } },
};

function setScreenWidth(width: number): void {
  vi.stubGlobal('matchMedia', (query: string) => {
    const maxWidth = Number(/max-width:\s*([\d.]+)px/.exec(query)?.[1] ?? Number.NaN);
    const listens = { addEventListener: () => undefined, removeEventListener: () => undefined };
    return { matches: width <= maxWidth, media: query, ...listens };
  });
}

let storageAtLogout: number | undefined;

function LogoutProbe() {
  storageAtLogout ??= localStorage.length;
  return <Page title="The logout route">-</Page>;
}

function PageAtPath() {
  return useLocation().pathname === '/logout' ? <LogoutProbe /> : <Page title="The page">what it says</Page>;
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

const toggle = () => screen.findByRole('button', { name: 'Menu' });
const findEntry = (name: string) => screen.findByRole('link', { name });
const isPageSeen = () => screen.queryByRole('heading', { name: 'The page' }) !== null;

beforeEach(() => {
  vi.stubGlobal('scrollTo', () => undefined);
  storageAtLogout = undefined;
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  localStorage.clear();
  sessionStorage.clear();
  history.replaceState(null, '', '/');
});

describe('the slide-out menu', () => {
  it('requests the companies only when it is opened, and hides the page while open', async () => {
    const requestedPaths = serve(allResponses);
    open('/company');
    const button = await toggle();
    expect(requestedPaths).not.toContain('/user-companies');
    expect(button.getAttribute('aria-expanded')).toBe('false');
    fireEvent.click(button);
    expect(isPageSeen()).toBe(false);
    expect(await findEntry('Home')).toBeTruthy();
    expect(requestedPaths).toContain('/user-companies');
    expect(button.getAttribute('aria-expanded')).toBe('true');
    fireEvent.click(button);
    expect(isPageSeen()).toBe(true);
  });

  it('hides the page while loading, and can be closed then', async () => {
    serve({ ...allResponses, '/user-companies': new Promise(() => undefined) });
    open('/company');
    fireEvent.click(await toggle());
    expect(await screen.findByText('Loading the menu')).toBeTruthy();
    expect(isPageSeen()).toBe(false);
    fireEvent.click(await toggle());
    expect(isPageSeen()).toBe(true);
  });

  it('starts with "My companies" for several, and "Home" if the list fails', async () => {
    serve({ ...allResponses, '/user-companies': { status: 200, body: [createRow('Brightwell'), createRow('Harbour')] } });
    open('/company');
    fireEvent.click(await toggle());
    expect(await findEntry('My companies')).toBeTruthy();
    cleanup();
    serve({ ...allResponses, '/user-companies': { status: 500, body: { message: 'Sorry, there’s a problem with our service' } } });
    open('/company');
    fireEvent.click(await toggle());
    expect(await findEntry('Home')).toBeTruthy();
  });

  it('closes when an entry opens another page, and the new page takes the focus', async () => {
    serve(allResponses);
    open('/company');
    fireEvent.click(await toggle());
    fireEvent.click(await findEntry('Set-up steps'));
    await waitFor(() => expect(location.pathname).toBe('/portal/get-started/welcome'));
    await waitFor(() => expect(document.activeElement?.textContent).toBe('The page'));
    expect(screen.queryByRole('navigation', { name: 'Menu' })).toBeNull();
  });

  it('closes with Esc and returns the focus to its button', async () => {
    serve(allResponses);
    open('/company');
    fireEvent.click(await toggle());
    fireEvent.keyDown(await findEntry('Home'), { key: 'Escape' });
    expect(isPageSeen()).toBe(true);
    expect(document.activeElement).toBe(await toggle());
  });

  it('is not shown to external users or visitors', async () => {
    serve(allResponses);
    open('/company?external_user=1');
    await screen.findByRole('heading', { name: 'The page' });
    expect(screen.queryByRole('button', { name: 'Menu' })).toBeNull();
    expect(screen.queryByRole('link', { name: 'Help' })).toBeNull();
    cleanup();
    serve({ ...allResponses, '/v2/check-login': { status: 200, body: {} } });
    open('/privacy');
    await screen.findByRole('heading', { name: 'The page' });
    expect(screen.queryByRole('button', { name: 'Menu' })).toBeNull();
  });
});

describe('the mobile menu', () => {
  it('shows a spinner while loading and ignores its button, then shows the entries', async () => {
    setScreenWidth(360);
    const list = Promise.withResolvers<unknown>();
    serve({ ...allResponses, '/user-companies': list.promise });
    open('/company');
    const button = await toggle();
    fireEvent.click(button);
    expect(await screen.findByText('Loading the menu')).toBeTruthy();
    fireEvent.click(button);
    expect(button.getAttribute('aria-expanded')).toBe('true');
    expect(button.getAttribute('aria-disabled')).toBe('true');
    list.resolve({ status: 200, body: [createRow('Brightwell')] });
    expect(await findEntry('Go to dashboard')).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'Add company' })).toBeNull();
    fireEvent.click(button);
    expect(isPageSeen()).toBe(true);
  });
});

describe('logging out', () => {
  it('clears the local storage before the logout route is rendered', async () => {
    serve(allResponses);
    open('/company');
    localStorage.setItem('g-company', '{"companyId":"c1"}');
    fireEvent.click(await toggle());
    fireEvent.click(await screen.findByRole('button', { name: 'Log out' }));
    expect(await screen.findByRole('heading', { name: 'The logout route' })).toBeTruthy();
    expect(storageAtLogout).toBe(0);
  });
});

describe('the company name in the dashboard header', () => {
  const dashboard = `/v2/instant-vat/dashboard?company_id=${COMPANY_ID}`;

  it('shows its initials, linked to the profile', async () => {
    serve(allResponses);
    open(dashboard);
    const avatar = await findEntry('BE: your profile');
    expect(avatar.getAttribute('href')).toBe(`/portal/v2/instant-vat/profile?company_id=${COMPANY_ID}`);
  });

  it('is empty if it cannot be loaded, and the failure is only logged', async () => {
    const consoleErrorSpy = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    serve({ ...allResponses, '/dashboard-company-name': { status: 500, body: { message: 'Sorry, there’s a problem with our service' } } });
    open(dashboard);
    const avatar = await findEntry('Your profile');
    await waitFor(() =>
      expect(consoleErrorSpy.mock.calls).toEqual([['The company name couldn’t be read: Sorry, there’s a problem with our service']]),
    );
    // A temporary failure must not delete the saved company.
    expect(localStorage.getItem('g-company')).toBe(JSON.stringify({ companyId: COMPANY_ID }));
    expect(avatar.textContent).toBe('');
    expect(screen.queryAllByRole('alert').map(({ textContent }) => textContent)).not.toContain('Sorry, there’s a problem with our service');
    expect(isPageSeen()).toBe(true);
  });

  it('deletes the saved company if it is not found for this user', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    serve({ ...allResponses, '/dashboard-company-name': { status: 404, body: { message: 'Page not found.' } } });
    open(dashboard);
    await findEntry('Your profile');
    await waitFor(() => expect(localStorage.getItem('g-company')).toBeNull());
  });
});

describe('the logo', () => {
  it('links pages of OpenTax to OpenTax’s landing page', async () => {
    serve(allResponses);
    open('/v2/open-tax/signup');
    expect((await findEntry('Tidewater')).getAttribute('href')).toBe('/portal/v2/open-tax');
  });

  it.each([
    ['/company', '_blank'],
    ['/home', null],
  ])('at %s links to the website with the target %j', async (path, target) => {
    serve(allResponses);
    open(path);
    const logo = await findEntry('Tidewater');
    expect(logo.getAttribute('href')).toBe('/portal/v2/instant-vat');
    expect(logo.getAttribute('target')).toBe(target);
  });
});

describe('the logo of a brand with its own website', () => {
  afterEach(() => document.querySelector('meta[name=portal-website]')?.remove());

  it.each([
    ['https://tidewater.example/', '_blank'],
    ['https://tidewater.example/home', null],
  ])('links to %s with the target %j', async (url, target) => {
    document.head.insertAdjacentHTML('beforeend', `<meta name="portal-website" content="${url}">`);
    serve(allResponses);
    open('/company');
    const logo = await findEntry('Tidewater');
    expect([logo.getAttribute('href'), logo.getAttribute('target')]).toEqual([url, target]);
  });
});

describe('a route change', () => {
  it('focuses the new heading and announces the title', async () => {
    serve(allResponses);
    const appHistory = open('/company');
    await screen.findByRole('heading', { name: 'The page' });
    const getAnnouncements = () => screen.getAllByRole('status').map(({ textContent }) => textContent);
    expect(getAnnouncements()).not.toContain('Tidewater Login – Logged out');
    act(() => appHistory.push('/portal/logout'));
    const heading = await screen.findByRole('heading', { name: 'The logout route' });
    await waitFor(() => expect(document.activeElement).toBe(heading));
    await waitFor(() => expect(getAnnouncements()).toContain('Tidewater Login – Logged out'));
    expect(document.title).toBe('Tidewater Login – Logged out');
  });
});

describe('an expired connection', () => {
  const notice = {
    company_id: COMPANY_ID,
    name: 'Brightwell',
    kind: 'company',
    state: 'ended',
    at: '2026-11-10T10:00:00.000Z',
    may_connect: true,
    path: `/v2/instant-vat/dashboard/link-hmrc-account?company_id=${COMPANY_ID}`,
  };
  const serveNotices = (...grant_notices: object[]) =>
    serve({ ...allResponses, '/v2/check-login': { status: 200, body: { ...TESSA, grant_notices } } });
  const findBar = () => screen.findByRole('complementary', { name: 'Connection to HMRC' });

  it('is shown above every page with its date, consequence and a link to reconnect', async () => {
    serveNotices(notice);
    open('/company');
    const { textContent } = await findBar();
    expect(textContent).toContain('Brightwell: the connection to HMRC has ended');
    expect(textContent).toContain(
      'It ended on 10 November 2026, 10:00. Until you reconnect, we can’t refresh figures from HMRC or file returns.',
    );
    expect((await findEntry('Connect HMRC again')).getAttribute('href')).toBe(`${PORTAL_BASE}${notice.path}`);
  });

  it('of a practice’s mailbox says what waits for it', async () => {
    serveNotices({ ...notice, kind: 'practice', service: 'gmail', path: `/v2/open-tax/settings/connections?company_id=${COMPANY_ID}` });
    open('/company');
    const { textContent } = await screen.findByRole('complementary', { name: 'Connection to Gmail' });
    expect(textContent).toContain('emails to your clients are on hold. Nothing is lost.');
    expect(await findEntry('Connect Gmail again')).toBeTruthy();
  });

  it('has no button for users who cannot connect, and says whom to ask', async () => {
    serveNotices({ ...notice, kind: 'practice', may_connect: false });
    open('/company');
    expect((await findBar()).textContent).toContain('Ask an admin of the practice');
    expect(screen.queryByRole('link', { name: 'Connect HMRC again' })).toBeNull();
  });

  it('is not shown on the page that fixes it or on public pages', async () => {
    serveNotices(notice);
    const appHistory = open(notice.path);
    await screen.findByRole('heading', { name: 'The page' });
    expect(screen.queryByRole('complementary', { name: 'Connection to HMRC' })).toBeNull();
    act(() => appHistory.push('/portal/contact'));
    expect(screen.queryByRole('complementary', { name: 'Connection to HMRC' })).toBeNull();
  });

  it('shows the current company first and links the others', async () => {
    const otherNotice = { ...notice, company_id: '0199c1b0-0000-7000-8000-00000000000b', name: 'Harlow', path: '/elsewhere?company_id=b' };
    serveNotices(notice, otherNotice);
    open(`/company?company_id=${otherNotice.company_id}`);
    expect((await findBar()).textContent).toContain('Harlow: the connection');
    expect((await findEntry('Brightwell (HMRC)')).getAttribute('href')).toBe(`${PORTAL_BASE}${notice.path}`);
  });
});
