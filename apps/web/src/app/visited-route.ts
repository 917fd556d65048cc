import { listPagePaths, findPage } from '@portal/contract/pages.ts';
import { getPageTitle } from '../lib/page-title.ts';
import type { VisitedRoute } from './visitor-tracking.ts';

/** Returns what to record for a visit to a path below /portal. */
export function getVisitedRoute(path: string): VisitedRoute {
  return { pattern: getPattern(path), title: getPageTitle(path) };
}

function getPattern(path: string): string {
  const normalised = path.length > 1 ? path.replace(/\/+$/, '') : path;
  const page = findPage(normalised);
  if (page === undefined) return '/not-found';
  return listPagePaths(page).find((address) => address === normalised) ?? page.path;
}
