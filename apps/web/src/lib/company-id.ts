/**
 * Finds the company that a screen shows: `company_id` from the URL or, if it is missing, after 500 ms the company saved in this browser;
 * otherwise none (docs/product/specification.md section 4).
 */
import { createContext, useContext, useEffect, useState } from 'react';
import { useSearchParams } from './search-params.ts';
import { getSavedCompanyId, saveCompanyId } from './saved-company-id.ts';

const DELAY_MS = 500;

/** Whether opening a company saves its ID in this browser. False in the demo. */
export const SavesCompanyId = createContext(true);

/** `isSettled` is false during the 500 ms. After that, an empty `companyId` means there isn't a company. */
export function useCompanyId(): { companyId: string; isSettled: boolean } {
  const [search] = useSearchParams();
  const companyParam = search.get('company_id') ?? '';
  const savesCompanyId = useContext(SavesCompanyId);
  const [savedCompanyId, setSavedCompanyId] = useState<string | undefined>(undefined);
  useEffect(() => {
    if (companyParam !== '') {
      if (savesCompanyId) saveCompanyId(companyParam);
      return undefined;
    }
    const timer = setTimeout(() => setSavedCompanyId(getSavedCompanyId()), DELAY_MS);
    return () => clearTimeout(timer);
  }, [companyParam, savesCompanyId]);
  if (companyParam !== '') return { companyId: companyParam, isSettled: true };
  return { companyId: savedCompanyId ?? '', isSettled: savedCompanyId !== undefined };
}
