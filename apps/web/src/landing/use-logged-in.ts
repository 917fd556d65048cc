/** Checks whether someone is logged in, for pages that are prerendered for everyone. */
import { useEffect, useState } from 'react';
import { getSavedCompanyId } from '../lib/saved-company-id.ts';
import { PORTAL_BASE } from '../lib/settings.ts';

/** A plain path, because the endpoint's schemas would be larger than the page. */
const CHECK_PATH = `${PORTAL_BASE}/v2/check-login`;

/**
 * Returns whether the user is logged in; false until known. A browser without a saved company belongs to a visitor, so it sends no request.
 * If the check fails, the value doesn't change.
 */
export function useLoggedIn(): boolean {
  const [isLoggedIn, setLoggedIn] = useState(false);
  useEffect(() => {
    if (getSavedCompanyId() === '') return;
    const check = async (): Promise<void> => {
      const response = await fetch(CHECK_PATH);
      const person: unknown = response.ok ? await response.json() : {};
      setLoggedIn(typeof person === 'object' && person !== null && 'type' in person);
    };
    check().catch(() => undefined);
  }, []);
  return isLoggedIn;
}
