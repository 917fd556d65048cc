/**
 * Handles paths without a route. Any path ending in /help is the help page (docs/product/specification.md section 2.4), a landing page is a
 * separate document, and all other paths are not found.
 */
import { findPage } from '@portal/contract/pages.ts';
import { lazy, Suspense, useEffect } from 'react';
import { useLocation } from 'react-router';
import { PageSkeleton } from '../ui/skeletons.tsx';
import { NotFoundScreen } from './not-found-screen.tsx';

const HelpScreen = lazy(() => import('../features/help/help-screen.tsx').then((file) => ({ default: file.HelpScreen })));

export function UnroutedPath() {
  const { pathname } = useLocation();
  const page = findPage(pathname);
  if (page?.kind === 'landing') return <SeparateDocument />;
  if (page?.name !== 'help') return <NotFoundScreen />;
  return (
    <Suspense fallback={<PageSkeleton />}>
      <HelpScreen />
    </Suspense>
  );
}

/** The back button can lead from the demo to a landing page within this document, so load that page from the server. */
function SeparateDocument() {
  useEffect(() => location.reload(), []);
  return <PageSkeleton />;
}
