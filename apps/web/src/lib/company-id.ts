/** Which company a screen is about: the query's company_id; without one, after 500 ms, the one this browser remembers; empty if none (specification 4). */
import { createContext, useContext, useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';

const KEY = 'g-company';
const DELAY_MS = 500;

/** Whether opening a company makes it the one this browser remembers; the demo's does not. */
export const RemembersCompany = createContext(true);

/** Remembers a company for the pages opened without one. */
export function rememberCompany(companyId: string): void {
  localStorage.setItem(KEY, JSON.stringify({ companyId }));
}

/** Forgets a company that is not the person's, or no longer: pages opened without one must not lead to it again. */
export function forgetCompany(companyId: string): void {
  if (rememberedCompany() === companyId) localStorage.removeItem(KEY);
}

/** The company this browser remembers; empty if none. */
export function rememberedCompany(): string {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    const companyId = kept !== null && typeof kept === 'object' && 'companyId' in kept ? kept.companyId : '';
    return typeof companyId === 'string' ? companyId : '';
  } catch {
    // Another script or an older version wrote something else under this key: the same as nothing.
    return '';
  }
}

/** `settled` is false while the 500 ms run; then an empty `companyId` means that there is none. */
export function useCompanyId(): { companyId: string; settled: boolean } {
  const [search] = useSearchParams();
  const named = search.get('company_id') ?? '';
  const remembers = useContext(RemembersCompany);
  const [kept, setKept] = useState<string | undefined>(undefined);
  useEffect(() => {
    if (named !== '') {
      if (remembers) rememberCompany(named);
      return undefined;
    }
    const timer = setTimeout(() => setKept(rememberedCompany()), DELAY_MS);
    return () => clearTimeout(timer);
  }, [named, remembers]);
  if (named !== '') return { companyId: named, settled: true };
  return { companyId: kept ?? '', settled: kept !== undefined };
}
