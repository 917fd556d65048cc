/** The browser's history, for the router: navigates without loading a document, and saves the scroll position of each entry. */
import { createPath, NavigationType, type Location, type NavigateOptions, type Navigator, type To } from 'react-router';

/** The current entry, and how the user got there. */
export type Visit = {
  readonly location: Location;
  readonly type: NavigationType;
  /** The scroll position at the time the user left the entry. */
  readonly savedScroll: number | undefined;
  /** Set if the link should keep the scroll position. */
  readonly keepsScroll: boolean;
};

export type AppHistory = Navigator & {
  readonly current: () => Visit;
  /** Calls the listener after each navigation. Returns a function that removes it. */
  readonly listen: (listener: (visit: Visit) => void) => () => void;
};

/** The login page deletes this (login-main.tsx), because leaving a page writes it even after logging out. */
const SCROLL_KEY = 'scroll-positions';

export function createAppHistory(): AppHistory {
  const listeners = new Set<(visit: Visit) => void>();
  assignEntryKey();
  const scrollPositions = readScrollPositions();
  let visit = readVisit(NavigationType.Pop);

  function readVisit(type: NavigationType, options: NavigateOptions = {}): Visit {
    const { pathname, search, hash } = window.location;
    const { usr: state = null, key = 'default' } = (window.history.state ?? {}) as { usr?: unknown; key?: string };
    const location = { pathname, search, hash, state, key };
    return { location, type, savedScroll: scrollPositions.get(key), keepsScroll: options.preventScrollReset === true };
  }
  function show(next: Visit): void {
    visit = next;
    for (const listener of listeners) listener(next);
  }
  function move(type: NavigationType.Push | NavigationType.Replace, to: To, state: unknown, options?: NavigateOptions): void {
    scrollPositions.set(visit.location.key, window.scrollY);
    const url = toText(to);
    const entry = { usr: state, key: createKey() };
    try {
      if (type === NavigationType.Push) window.history.pushState(entry, '', url);
      else window.history.replaceState(entry, '', url);
    } catch {
      // Safari allows 100 history changes in 10 seconds. Loading the document is always allowed.
      window.location.assign(url);
      return;
    }
    show(readVisit(type, options));
  }

  addEventListener('popstate', () => {
    scrollPositions.set(visit.location.key, window.scrollY);
    show(readVisit(NavigationType.Pop));
  });
  // Between our own pages, we restore the scroll position ourselves. After a reload, the browser may do it before our scripts have run.
  window.history.scrollRestoration = 'manual';
  addEventListener('pageshow', () => (window.history.scrollRestoration = 'manual'));
  addEventListener('pagehide', () => {
    scrollPositions.set(visit.location.key, window.scrollY);
    sessionStorage.setItem(SCROLL_KEY, JSON.stringify([...scrollPositions]));
    window.history.scrollRestoration = 'auto';
  });

  return {
    current: () => visit,
    listen: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    createHref: toText,
    push: (to, state: unknown, options) => move(NavigationType.Push, to, state, options),
    replace: (to, state: unknown, options) => move(NavigationType.Replace, to, state, options),
    go: (steps) => window.history.go(steps),
  };
}

const createKey = (): string => Math.random().toString(36).slice(2);

/** Gives a page that the browser loaded its own key, so that it doesn't inherit the scroll position of the page loaded before it. */
function assignEntryKey(): void {
  const state = (window.history.state ?? {}) as { key?: string };
  if (state.key === undefined) window.history.replaceState({ ...state, key: createKey() }, '');
}

const toText = (to: To): string => (typeof to === 'string' ? to : createPath(to));

function readScrollPositions(): Map<string, number> {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(SCROLL_KEY) ?? '[]') as [string, number][]);
  } catch {
    return new Map();
  }
}
