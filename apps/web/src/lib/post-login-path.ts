/** The page a person wanted before they were asked to sign in. It is kept in local storage, because a sign-in link opens in a new tab. */
import { findPage } from '@portal/contract/pages.ts';
import { isPrivateStep } from './private-step.ts';
import { PORTAL_BASE } from './settings.ts';

const KEY = 'post-login-redirect';

/** Keeps the page the browser is on, with the portal's prefix; or the one named, below /portal. */
export function savePostLoginPath(path?: `/${string}`): void {
  localStorage.setItem(KEY, path === undefined ? `${location.pathname}${location.search}` : `${PORTAL_BASE}${path}`);
}

/** The kept page below /portal; undefined where there is none or it is no page of ours. */
export function getPostLoginPath(): string | undefined {
  const saved = localStorage.getItem(KEY);
  if (!saved?.startsWith(`${PORTAL_BASE}/`)) return undefined;
  const url = new URL(saved, location.origin);
  const path = url.pathname.slice(PORTAL_BASE.length);
  return url.origin === location.origin && needsSession(path) ? `${path}${url.search}` : undefined;
}

/** Steps beyond the first are public pages (specification 2.5), yet somebody who logs in on the way goes on where they were. */
function needsSession(path: string): boolean {
  const page = findPage(path);
  return page !== undefined && (page.access !== 'public' || isPrivateStep(path));
}

/** The kept page, once. */
export function takePostLoginPath(): string | undefined {
  const path = getPostLoginPath();
  localStorage.removeItem(KEY);
  return path;
}
