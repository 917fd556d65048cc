/** Addresses that no route names: any path ending in /help is the help (specification 2.4), the others are no page. */
import { findPage } from '@portal/contract/pages.ts';
import { lazy, Suspense } from 'react';
import { useLocation } from 'react-router';
import { PageSkeleton } from '../ui/skeletons.tsx';
import { NotFoundScreen } from './not-found-screen.tsx';

const HelpScreen = lazy(() => import('../features/help/help-screen.tsx').then((file) => ({ default: file.HelpScreen })));

export function FurtherAddress() {
  const { pathname } = useLocation();
  if (findPage(pathname)?.name !== 'help') return <NotFoundScreen />;
  return (
    <Suspense fallback={<PageSkeleton />}>
      <HelpScreen />
    </Suspense>
  );
}
