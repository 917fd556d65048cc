/** Chooses the frame and the screen for the current path. Paths and titles come from the contract (pages.ts). */
import { PAGES } from '@portal/contract/pages.ts';
import { Suspense } from 'react';
import { useLocation } from 'react-router';
import { PageSkeleton } from '../ui/skeletons.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { findShownPage, ScreenAtPath } from './screen-at-path.tsx';
import { ScreenLayout } from './screen-layout.tsx';
import { Shell } from './shell.tsx';

export function Routes() {
  const page = findShownPage(useLocation().pathname);
  // The demo doesn't have a session and gets its responses from memory, so it is outside the shell.
  const isDemo = page?.path === PAGES.demo.path;
  return (
    <ErrorBoundary>
      {isDemo ? (
        <Screens />
      ) : (
        <Shell>
          <Screens />
        </Shell>
      )}
    </ErrorBoundary>
  );
}

/** The header and the toasts remain if a screen fails. */
function Screens() {
  return (
    <ErrorBoundary>
      <ScreenLayout>
        <ErrorBoundary>
          <Suspense fallback={<PageSkeleton />}>
            <ScreenAtPath />
          </Suspense>
        </ErrorBoundary>
      </ScreenLayout>
    </ErrorBoundary>
  );
}
