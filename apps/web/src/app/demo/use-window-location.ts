/** The browser's location, for the demo on the landing page, which doesn't use the portal's router. */
import { useCallback, useEffect, useState } from 'react';
import { NavigationType, type Location } from 'react-router';
import { PORTAL_BASE } from '../../lib/settings.ts';

export type WindowLocation = { readonly location: Location; readonly type: NavigationType };

function readWindowLocation(type: NavigationType): WindowLocation {
  const { pathname, search, hash } = window.location;
  const state: unknown = window.history.state;
  return { location: { pathname: pathname.slice(PORTAL_BASE.length), search, hash, state, key: `${pathname}${search}` }, type };
}

/** `go` changes the URL without leaving the page, so that the back button still works. */
export function useWindowLocation(): { place: WindowLocation; go: (address: string, type: 'PUSH' | 'REPLACE') => void } {
  const [place, setPlace] = useState(() => readWindowLocation(NavigationType.Pop));
  useEffect(() => {
    const onPopState = (): void => setPlace(readWindowLocation(NavigationType.Pop));
    addEventListener('popstate', onPopState);
    return () => removeEventListener('popstate', onPopState);
  }, []);
  const navigateTo = useCallback((address: string, type: 'PUSH' | 'REPLACE') => {
    const url = `${PORTAL_BASE}${address}`;
    if (type === 'PUSH') window.history.pushState(null, '', url);
    else window.history.replaceState(null, '', url);
    setPlace(readWindowLocation(type === 'PUSH' ? NavigationType.Push : NavigationType.Replace));
  }, []);
  return { place, go: navigateTo };
}
