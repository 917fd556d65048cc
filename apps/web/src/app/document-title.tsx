import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { getPageTitle } from '../lib/page-title.ts';

/** Sets the window title. `subject`: the company or practice that the page shows, once its name is known. */
export function DocumentTitle({ subject }: { subject?: string | undefined }) {
  const { pathname } = useLocation();
  useEffect(() => {
    document.title = getPageTitle(pathname, subject);
  }, [pathname, subject]);
  return null;
}
