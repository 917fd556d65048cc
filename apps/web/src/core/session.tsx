/** The session, checked on every page load, and the resulting redirects (docs/product/specification.md section 4, "Login state"). */
import { identityApi } from '@portal/contract/identity.ts';
import { findPage, PAGES } from '@portal/contract/pages.ts';
import { createContext, useCallback, useContext, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { apiRequest } from '../lib/api.ts';
import { saveCompanyId, getSavedCompanyId } from '../lib/saved-company-id.ts';
import { debounceLeading } from '../lib/debounce-leading.ts';
import { claimDrafts } from '../lib/form-draft.ts';
import { onLogOutInOtherTab } from '../lib/log-out-broadcast.ts';
import { consumePostLoginPath, savePostLoginPath } from '../lib/post-login-path.ts';
import { PORTAL_BASE } from '../lib/settings.ts';
import { isLoginPage } from './page-gate.ts';
import type { Person, Session } from './session-state.ts';

type SessionContext = { readonly session: Session; readonly check: () => Promise<Session> };

const CHECK_DEBOUNCE_MS = 1000;
const Context = createContext<SessionContext>({ session: { status: 'checking' }, check: async () => ({ status: 'checking' }) });

export const useSession = (): SessionContext => useContext(Context);

/** The session, if it was loaded before the first render, so that the page itself can be rendered immediately. */
export const InitialSession = createContext<Session | undefined>(undefined);

export async function readSession(): Promise<Session> {
  try {
    const person = await apiRequest(identityApi.checkLogin, {}, { unauthorized: 'throw' });
    return person.type === undefined ? { status: 'signed_out' } : { status: 'signed_in', person };
  } catch (error) {
    return { status: 'unknown', error };
  }
}

/** A response is out of date if a later check has already been applied. */
let checksStarted = 0;
let lastAppliedCheck = 0;

const getCurrentPage = () => findPage(location.pathname.slice(PORTAL_BASE.length));

/** Updates what this browser stores for the signed-in user. */
function applySession(foundSession: Session): void {
  // A late response must not restore what logging out has just deleted.
  if (foundSession.status !== 'signed_in' || getCurrentPage()?.name === 'logout') return;
  saveHomeCompany(foundSession.person.home_path);
  // Drafts left in this tab by another user must not be shown.
  claimDrafts(foundSession.person.email ?? '');
}

/** On a browser without a saved company (a new device), saves the company of the user's home. */
function saveHomeCompany(homePath: string | undefined): void {
  const companyId = new URLSearchParams(homePath?.split('?')[1] ?? '').get('company_id') ?? '';
  if (companyId !== '' && getSavedCompanyId() === '') saveCompanyId(companyId);
}

/** Operators who haven't verified a second factor in this session can only reach the page where they set one up or verify it. */
function awaitsSecondFactor({ operator_status: status }: Person): boolean {
  return status === 'enrolling' || status === 'needs_factor';
}

export function SessionProvider({ children }: { children: ReactNode }) {
  const first = useContext(InitialSession);
  const hasChecked = useRef(false);
  const [session, setSession] = useState<Session>(first ?? { status: 'checking' });
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const check = useCallback(async () => {
    const checkNumber = ++checksStarted;
    const foundSession = await readSession();
    // A slow response from before logging out must not sign the user in again.
    if (checkNumber < lastAppliedCheck) return foundSession;
    lastAppliedCheck = checkNumber;
    applySession(foundSession);
    setSession(foundSession);
    return foundSession;
  }, []);
  const checkSoon = useRef(debounceLeading(() => void check(), CHECK_DEBOUNCE_MS));
  useEffect(() => {
    const isKnown = first !== undefined && !hasChecked.current;
    hasChecked.current = true;
    if (isKnown) applySession(first);
    else checkSoon.current();
  }, [pathname, first]);
  useEffect(() => {
    const page = findPage(pathname);
    if (session.status === 'signed_in' && isLoginPage(page)) {
      void navigate(consumePostLoginPath() ?? '/home', { replace: true });
    }
    if (page?.access === 'operator' && session.status === 'signed_in' && awaitsSecondFactor(session.person)) {
      void navigate(PAGES.adminEnrolment.path, { replace: true });
    }
    if (session.status === 'signed_out' && page !== undefined && page.access !== 'public') {
      savePostLoginPath();
      void navigate('/login', { replace: true });
    }
  }, [session, pathname, navigate]);
  // Someone else may use this browser next, so the page and its path are not saved.
  useEffect(
    () =>
      onLogOutInOtherTab(() => {
        // Each tab has its own session storage, so each tab clears its own.
        sessionStorage.clear();
        if (getCurrentPage()?.access === 'public') void check();
        else location.replace(`${PORTAL_BASE}${PAGES.login.path}`);
      }),
    [check],
  );
  const value = useMemo(() => ({ session, check }), [session, check]);
  return <Context value={value}>{children}</Context>;
}
