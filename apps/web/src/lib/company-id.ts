/** Which company a screen is about: the query's company_id; without one, after 500 ms, the one this browser remembers; empty if none (specification 4). */
import { createContext, useContext, useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';

const KEY = 'g-company';
const DELAY_MS = 500;

/** Whether opening a company makes it the one this browser remembers; the demo's does not. */
export const SavesCompanyId = createContext(true);

/** Remembers a company for the pages opened without one. */
export function saveCompanyId(companyId: string): void {
  localStorage.setItem(KEY, JSON.stringify({ companyId }));
}

/** Forgets a company that is not the person's, or no longer: pages opened without one must not lead to it again. */
export function deleteSavedCompanyId(companyId: string): void {
  if (getSavedCompanyId() === companyId) localStorage.removeItem(KEY);
}

/** The company this browser remembers; empty if none. */
export function getSavedCompanyId(): string {
  try {
    const saved: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    const companyId = saved !== null && typeof saved === 'object' && 'companyId' in saved ? saved.companyId : '';
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
  const savesCompanyId = useContext(SavesCompanyId);
  const [saved, setSaved] = useState<string | undefined>(undefined);
  useEffect(() => {
    if (named !== '') {
      if (savesCompanyId) saveCompanyId(named);
      return undefined;
    }
    const timer = setTimeout(() => setSaved(getSavedCompanyId()), DELAY_MS);
    return () => clearTimeout(timer);
  }, [named, savesCompanyId]);
  if (named !== '') return { companyId: named, settled: true };
  return { companyId: saved ?? '', settled: saved !== undefined };
}
