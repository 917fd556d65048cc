// Tests moving between pages: scroll positions, history state, and screens that are slow or fail to load.
import { act, cleanup, render, screen } from '@testing-library/react';
import { lazy, Suspense, type ComponentType } from 'react';
import { useLocation } from 'react-router';
import { Link } from '../ui/link.tsx';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createAppHistory } from '../lib/app-history.ts';
import { PORTAL_BASE } from '../lib/settings.ts';
import { AppRouter } from './app-router.tsx';
import { ErrorBoundary } from './error-boundary.tsx';

const scrolledTo = vi.fn<(x: number, y: number) => void>();

beforeEach(() => {
  vi.stubGlobal('scrollTo', scrolledTo);
  history.replaceState(null, '', `${PORTAL_BASE}/a`);
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  scrolledTo.mockClear();
  sessionStorage.clear();
});

function LocationProbe() {
  const { pathname, search, state } = useLocation();
  return (
    <>
      <h1>{`${pathname}${search}`}</h1>
      <p>{JSON.stringify(state)}</p>
      <p id="rules">Rules</p>
      <Link to="/b">To b</Link>
      <Link to="?filter=late" preventScrollReset>
        Late only
      </Link>
    </>
  );
}

function open(screens = <LocationProbe />) {
  const appHistory = createAppHistory();
  render(<AppRouter history={appHistory}>{screens}</AppRouter>);
  return appHistory;
}

const findHeading = (name: string) => screen.findByRole('heading', { name });
const stubScroll = (y: number) => vi.stubGlobal('scrollY', y);
const click = (name: string) => act(() => screen.getByRole('link', { name }).click());

describe('moving to another page', () => {
  it('starts at the top of a page that the browser loads, however far the previous page was scrolled', () => {
    open();
    stubScroll(640);
    act(() => void dispatchEvent(new Event('pagehide')));
    cleanup();
    history.replaceState(null, '', `${PORTAL_BASE}/b`);
    open();
    expect(scrolledTo).toHaveBeenLastCalledWith(0, 0);
  });

  it('starts at the top, and going back returns to where the page was left', async () => {
    open();
    stubScroll(640);
    click('To b');
    expect(await findHeading('/b')).toBeTruthy();
    expect(scrolledTo).toHaveBeenLastCalledWith(0, 0);
    stubScroll(20);
    act(() => history.back());
    expect(await findHeading('/a')).toBeTruthy();
    expect(scrolledTo).toHaveBeenLastCalledWith(0, 640);
  });

  it('returns to where the page was left after a reload too', async () => {
    open();
    stubScroll(300);
    dispatchEvent(new Event('pagehide'));
    cleanup();
    open();
    expect(scrolledTo).toHaveBeenLastCalledWith(0, 300);
  });

  it('stays in place for a filter', async () => {
    open();
    scrolledTo.mockClear();
    click('Late only');
    expect(await findHeading('/a?filter=late')).toBeTruthy();
    expect(scrolledTo).not.toHaveBeenCalled();
  });

  it('scrolls to the element that the URL’s fragment names', async () => {
    const scrollIntoView = vi.fn<() => void>();
    Element.prototype.scrollIntoView = scrollIntoView;
    const appHistory = open();
    act(() => appHistory.push(`${PORTAL_BASE}/b#rules`));
    expect(await findHeading('/b')).toBeTruthy();
    expect(scrollIntoView).toHaveBeenCalledOnce();
  });

  it('keeps the state of a page with its history entry', async () => {
    const appHistory = open();
    act(() => appHistory.replace(`${PORTAL_BASE}/a`, { token: 'abc' }));
    expect(await screen.findByText('{"token":"abc"}')).toBeTruthy();
    click('To b');
    expect(await screen.findByText('null')).toBeTruthy();
    act(() => history.back());
    expect(await screen.findByText('{"token":"abc"}')).toBeTruthy();
  });
});

describe('a screen', () => {
  it('leaves the previous one in place while it loads', async () => {
    const slow = Promise.withResolvers<{ default: ComponentType }>();
    const SlowScreen = lazy(() => slow.promise);
    const Screens = () => (useLocation().pathname === '/b' ? <SlowScreen /> : <LocationProbe />);
    open(
      <Suspense fallback="loading">
        <Screens />
      </Suspense>,
    );
    click('To b');
    expect(await findHeading('/a')).toBeTruthy();
    expect(screen.queryByText('loading')).toBeNull();
    await act(async () => slow.resolve({ default: () => <h1>Slow screen</h1> }));
    expect(await findHeading('Slow screen')).toBeTruthy();
  });

  it('that failed is replaced by the next one', async () => {
    vi.spyOn(console, 'error').mockReturnValue();
    const Fails = () => {
      if (useLocation().pathname === '/b') throw new Error('a fault');
      return <LocationProbe />;
    };
    const appHistory = open(
      <ErrorBoundary>
        <Fails />
      </ErrorBoundary>,
    );
    click('To b');
    expect(await findHeading('Sorry, there’s a problem with this page')).toBeTruthy();
    act(() => appHistory.push(`${PORTAL_BASE}/c`));
    expect(await findHeading('/c')).toBeTruthy();
  });
});
