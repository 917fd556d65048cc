/** Decides what to show instead of a page, depending on the session. */
import type { PageName } from '@portal/contract/pages.ts';
import type { Page } from '@portal/contract/pages/page.ts';
import { isPrivateStep } from '../lib/private-step.ts';
import type { Person, Session } from './session-state.ts';

/**
 * `open`: the page. `hidden`: the page is mounted and loads its data, but isn't visible yet. `waiting`: the page isn't mounted.
 * `asks_login`: a step that needs a signed-in user. `not_found`: as if the page didn't exist.
 */
export type PageGate = 'open' | 'hidden' | 'waiting' | 'asks_login' | 'not_found';

const LOGIN_PAGES: readonly PageName[] = ['login', 'loginV2'];

export function isLoginPage(page: { readonly name: PageName } | undefined): boolean {
  return page !== undefined && LOGIN_PAGES.includes(page.name);
}

export function getPageGate(page: (Page & { readonly name: PageName }) | undefined, pathname: string, session: Session): PageGate {
  if (page === undefined) return 'open';
  // A signed-in user is about to be redirected to their home (docs/product/specification.md section 4).
  if (isLoginPage(page)) return session.status === 'checking' || session.status === 'signed_in' ? 'hidden' : 'open';
  if (page.access === 'operator' || page.access === 'enrolling') {
    if (session.status === 'signed_in') return mayOpenPage(page.access, session.person) ? 'open' : 'not_found';
    return session.status === 'unknown' ? 'open' : 'waiting';
  }
  if (page.access === 'signed_in') {
    if (session.status === 'checking') return 'hidden';
    // A signed-out visitor is about to be redirected to the login page.
    return session.status === 'signed_out' ? 'waiting' : 'open';
  }
  if (!isPrivateStep(pathname)) return 'open';
  // Don't mount the step: its API requests would redirect visitors to the login page before they could read why.
  if (session.status === 'checking') return 'waiting';
  return session.status === 'signed_out' ? 'asks_login' : 'open';
}

/** The enrolment page is for our staff, with or without a verified second factor. */
function mayOpenPage(access: 'operator' | 'enrolling', { is_operator, operator_status }: Person): boolean {
  return access === 'operator' ? is_operator === true : operator_status !== undefined;
}
