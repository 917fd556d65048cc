/** The router. The previous screen stays in place while the next one is loading. */
import { startTransition, useLayoutEffect, useState, type ReactNode } from 'react';
import { NavigationType, Router } from 'react-router';
import type { AppHistory, Visit } from '../lib/app-history.ts';
import { PORTAL_BASE } from '../lib/settings.ts';

export function AppRouter({ history, children }: { history: AppHistory; children: ReactNode }) {
  const [visit, setVisit] = useState(history.current);
  useLayoutEffect(() => history.listen((next) => startTransition(() => setVisit(next))), [history]);
  useLayoutEffect(() => scrollTo(visit), [visit]);
  return (
    <Router basename={PORTAL_BASE} location={visit.location} navigationType={visit.type} navigator={history}>
      {children}
    </Router>
  );
}

/** Restores the scroll position for back and forward. Other navigations start at the top, or at the element in the URL's fragment. */
function scrollTo({ type, savedScroll, location: { hash }, keepsScroll }: Visit): void {
  const targetElement = hash === '' ? null : document.getElementById(hash.slice(1));
  if (type === NavigationType.Pop && savedScroll !== undefined) window.scrollTo(0, savedScroll);
  else if (targetElement !== null) targetElement.scrollIntoView();
  else if (!keepsScroll) window.scrollTo(0, 0);
}
