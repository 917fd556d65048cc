import { findPage, type PageName } from '@portal/contract/pages.ts';
import type { Page } from '@portal/contract/pages/page.ts';
import { createElement, lazy, use, useEffect } from 'react';
import { useLocation } from 'react-router';
import { showsDevelopmentPages } from '../lib/settings.ts';
import { PageSkeleton } from '../ui/skeletons.tsx';
import { getLoadedScreen, isScreenName, loadScreen } from './load-screen.ts';

const NotFoundScreen = lazy(() => import('./not-found-screen.tsx').then((file) => ({ default: file.NotFoundScreen })));

/** Finds the page at a path. Developer pages don't exist in production. */
export function findShownPage(path: string): (Page & { readonly name: PageName }) | undefined {
  const page = findPage(path);
  return page?.onlyInDevelopment === true && !showsDevelopmentPages() ? undefined : page;
}

/** The screen for the current path (contract/pages.ts), loaded when it is opened. */
export function ScreenAtPath() {
  const page = findShownPage(useLocation().pathname);
  if (page === undefined) return <NotFoundScreen />;
  if (!isScreenName(page.name)) return <SeparateDocument />;
  return createElement(getLoadedScreen(page.name) ?? use(loadScreen(page.name)));
}

/** Landing pages and the login page are separate documents. The URL has already changed, so a reload fetches the document. */
function SeparateDocument() {
  useEffect(() => location.reload(), []);
  return <PageSkeleton />;
}
