/** The page that the user requested before logging in. Stored in local storage, because a sign-in link opens in a new tab. */
import { findPage } from '@portal/contract/pages.ts';
import { isPrivateStep } from './private-step.ts';
import { PORTAL_BASE } from './settings.ts';

const STORAGE_KEY = 'post-login-redirect';

/**
 * Saves the current page, or `path` below /portal. Doesn't save a page that needs no log-in, because a response that arrives after the user
 * has logged out must not leave anything behind.
 */
export function savePostLoginPath(path?: `/${string}`): void {
  const { pathname, search } = path === undefined ? location : new URL(`${PORTAL_BASE}${path}`, location.origin);
  if (needsSession(pathname.slice(PORTAL_BASE.length))) localStorage.setItem(STORAGE_KEY, `${pathname}${search}`);
}

/** Returns the saved page below /portal, or undefined if none is saved or it isn't one of our pages. */
export function getPostLoginPath(): string | undefined {
  const savedPath = localStorage.getItem(STORAGE_KEY);
  if (!savedPath?.startsWith(`${PORTAL_BASE}/`)) return undefined;
  const url = new URL(savedPath, location.origin);
  const path = url.pathname.slice(PORTAL_BASE.length);
  return url.origin === location.origin && needsSession(path) ? `${path}${url.search}` : undefined;
}

/**
 * Invitations and the steps after the first are public pages (docs/product/specification.md section 2.5), but users who log in there must
 * return to them.
 */
function needsSession(path: string): boolean {
  const page = findPage(path);
  return (
    page !== undefined && (page.access !== 'public' || isPrivateStep(path) || page.name === 'joinTeam' || page.name === 'clientSignUp')
  );
}

/** Returns the saved page and deletes it. */
export function consumePostLoginPath(): string | undefined {
  const path = getPostLoginPath();
  localStorage.removeItem(STORAGE_KEY);
  return path;
}
