/** Whether somebody is logged in, on pages that are drawn for everybody. */
import { useEffect, useState } from 'react';
import { getSavedCompanyId } from '../lib/company-id.ts';
import { PORTAL_BASE } from '../lib/settings.ts';

/** The call's path alone: its shapes would weigh more than the page. */
const CHECK_PATH = `${PORTAL_BASE}/v2/check-login`;

/** False until it is known. A browser that remembers no company is a visitor's and is not asked about; a check that fails changes nothing. */
export function useLoggedIn(): boolean {
  const [isLoggedIn, setLoggedIn] = useState(false);
  useEffect(() => {
    if (getSavedCompanyId() === '') return;
    const check = async (): Promise<void> => {
      const answer = await fetch(CHECK_PATH);
      const person: unknown = answer.ok ? await answer.json() : {};
      setLoggedIn(typeof person === 'object' && person !== null && 'type' in person);
    };
    check().catch(() => undefined);
  }, []);
  return isLoggedIn;
}
