/** The page a person wanted before they were asked to sign in. It is kept in local storage, because a sign-in link opens in a new tab. */
import { findPage } from '@portal/contract/pages.ts';
import { PORTAL_BASE } from './settings.ts';

const KEY = 'post-login-redirect';

/** Keeps the page the browser is on, with the portal's prefix. */
export function savePostLoginPath(): void {
  localStorage.setItem(KEY, `${location.pathname}${location.search}`);
}

/** The kept page below /portal; undefined where there is none or it is no page of ours. */
export function keptPostLoginPath(): string | undefined {
  const kept = localStorage.getItem(KEY);
  if (!kept?.startsWith(`${PORTAL_BASE}/`)) return undefined;
  const url = new URL(kept, location.origin);
  const path = url.pathname.slice(PORTAL_BASE.length);
  const page = findPage(path);
  return url.origin === location.origin && page !== undefined && page.access !== 'public' ? `${path}${url.search}` : undefined;
}

/** The kept page, once. */
export function takePostLoginPath(): string | undefined {
  const path = keptPostLoginPath();
  localStorage.removeItem(KEY);
  return path;
}
