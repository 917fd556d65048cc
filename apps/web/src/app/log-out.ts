/** Logging out clears local storage first, then opens the logout route (docs/product/specification.md section 4). */
import { PAGES } from '@portal/contract/pages.ts';
import { useCallback } from 'react';
import { useNavigate } from 'react-router';

export function useLogOut(): () => void {
  const navigate = useNavigate();
  return useCallback(() => {
    localStorage.clear();
    void navigate(PAGES.logout.path);
  }, [navigate]);
}
