/** Addresses that no route names: any path ending in /help is the help (specification 2.4), a landing page is a document of its own, the others are no page. */
import { findPage } from '@portal/contract/pages.ts';
import { lazy, Suspense, useEffect } from 'react';
import { useLocation } from 'react-router';
import { PageSkeleton } from '../ui/skeletons.tsx';
import { NotFoundScreen } from './not-found-screen.tsx';

const HelpScreen = lazy(() => import('../features/help/help-screen.tsx').then((file) => ({ default: file.HelpScreen })));

export function FurtherAddress() {
  const { pathname } = useLocation();
  const page = findPage(pathname);
  if (page?.kind === 'landing') return <OwnDocument />;
  if (page?.name !== 'help') return <NotFoundScreen />;
  return (
    <Suspense fallback={<PageSkeleton />}>
      <HelpScreen />
    </Suspense>
  );
}

/** Going back from the demo can lead to a landing page without leaving this document: the server has it. */
function OwnDocument() {
  useEffect(() => location.reload(), []);
  return <PageSkeleton />;
}
