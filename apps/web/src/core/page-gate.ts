/** What stands in a page's place while it is not known, or known, who is there. */
import type { Page, PageName } from '@portal/contract/pages.ts';
import { isPrivateStep } from '../lib/private-step.ts';
import type { Session } from './session-state.ts';

/**
 * `open`: the page. `hidden`: the page is there and asks its calls, so that no time is lost, but nothing of it is seen yet.
 * `waiting`: it is not there. `asks_login`: a step that needs a person. `not_found`: as if the page did not exist.
 */
export type Gate = 'open' | 'hidden' | 'waiting' | 'asks_login' | 'not_found';

const LOGIN_PAGES: readonly PageName[] = ['login', 'loginV2'];

export function isLoginPage(page: { readonly name: PageName } | undefined): boolean {
  return page !== undefined && LOGIN_PAGES.includes(page.name);
}

export function getPageGate(page: (Page & { readonly name: PageName }) | undefined, pathname: string, session: Session): Gate {
  if (page === undefined) return 'open';
  // The login page's loading flag is cleared when nobody is logged in (specification 4); otherwise the person is on the way home.
  if (isLoginPage(page)) return session.status === 'checking' || session.status === 'signed_in' ? 'hidden' : 'open';
  if (page.access === 'operator') {
    if (session.status === 'signed_in') return session.person.is_operator === true ? 'open' : 'not_found';
    return session.status === 'unknown' ? 'open' : 'waiting';
  }
  if (page.access === 'signed_in') {
    if (session.status === 'checking') return 'hidden';
    // On the way to the login page.
    return session.status === 'signed_out' ? 'waiting' : 'open';
  }
  if (!isPrivateStep(pathname)) return 'open';
  // Not even hidden: its calls would send a visitor to the login page before they read what is asked of them.
  if (session.status === 'checking') return 'waiting';
  return session.status === 'signed_out' ? 'asks_login' : 'open';
}
