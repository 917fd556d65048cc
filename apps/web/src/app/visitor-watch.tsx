/**
 * The app's tracking: records one pageview per route, ends the chat when the session ends, and shows the cookie banner when it is needed.
 */
import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { findPage, PAGES } from '@portal/contract/pages.ts';
import { isTrackedPath } from '../lib/analytics.ts';
import { clearChat } from '../lib/clear-chat.ts';
import { ConsentBanner } from './consent-banner.tsx';
import { useSession } from '../core/session.tsx';
import { getVisitedRoute } from './visited-route.ts';
import { recordVisit, trackVisitor } from './visitor-tracking.ts';

export function VisitorWatch() {
  const { pathname } = useLocation();
  const { session } = useSession();
  const wasSignedIn = useRef(false);
  useEffect(
    () =>
      trackVisitor((choices) => {
        if (!choices.chat) clearChat();
      }),
    [],
  );
  useEffect(() => {
    // Separate documents record their own visit when they load.
    if (findPage(pathname)?.kind === undefined) recordVisit(pathname, getVisitedRoute(pathname));
  }, [pathname]);
  useEffect(() => {
    const hasEnded = session.status === 'signed_out' && wasSignedIn.current;
    wasSignedIn.current = session.status === 'signed_in';
    if (hasEnded || pathname === PAGES.logout.path) clearChat();
  }, [session.status, pathname]);
  return isTrackedPath(pathname) ? <ConsentBanner key="consent" path={pathname} /> : null;
}
