import { act, renderHook } from '@testing-library/react';
import { startTransition, useEffect, useState, type ReactNode } from 'react';
import { Router, type Navigator } from 'react-router';
import { expect, test } from 'vitest';
import { changeSearchParams, useSearchParams } from './search-params.ts';

/** A router that doesn't render a page until `showPage` is called, as on a busy machine. */
function createSlowRouter() {
  const page = { show: (): void => {} };
  let requestedPath = '/list?sort=name';
  const navigator: Navigator = {
    createHref: (to) => (typeof to === 'string' ? to : `${to.pathname ?? ''}${to.search ?? ''}`),
    go: () => {},
    push: (to) => (requestedPath = navigator.createHref(to)),
    replace: (to) => (requestedPath = navigator.createHref(to)),
  };
  function SlowRouter({ children }: { children: ReactNode }) {
    const [location, setLocation] = useState(requestedPath);
    useEffect(() => {
      page.show = () => startTransition(() => setLocation(requestedPath));
    }, []);
    return (
      <Router location={location} navigator={navigator}>
        {children}
      </Router>
    );
  }
  return { SlowRouter, showPage: () => act(() => page.show()), getRequested: () => requestedPath };
}

test('two filters chosen in quick succession both apply', () => {
  const router = createSlowRouter();
  const { result } = renderHook(() => useSearchParams(), { wrapper: router.SlowRouter });
  const change = (changes: Record<string, string | undefined>) =>
    act(() => result.current[1]((current) => changeSearchParams(current, changes), { replace: true }));
  change({ trader: 'new' });
  change({ above_pence: '1000000' });
  expect(router.getRequested()).toBe('/list?sort=name&trader=new&above_pence=1000000');
  router.showPage();
  change({ trader: undefined });
  expect(router.getRequested()).toBe('/list?sort=name&above_pence=1000000');
});
