/** On small screens most v2 pages have no header (specification 2.6), and so no menu: this is their way on, at the foot of the page. */
import { PAGES, type Page } from '@portal/contract/pages.ts';
import { Link, useLocation } from 'react-router';
import { PORTAL_BASE } from '../lib/settings.ts';
import { helpPath } from './menu-entries.ts';
import { hasHeaderWhenSmall } from './navigation.ts';
import { useSession } from '../core/session.tsx';

export function FooterLinks({ page }: { page: (Page & { name: string }) | undefined }) {
  const { pathname, search } = useLocation();
  const { session } = useSession();
  // The profile begins with them.
  if (page === undefined || page.name === 'profile' || hasHeaderWhenSmall(page, pathname)) return null;
  const isSignedIn = session.status === 'signed_in';
  return (
    <nav className="p-way-out" aria-label="More">
      {isSignedIn ? (
        <Link className="p-link" to={PAGES.home.path}>
          Home
        </Link>
      ) : (
        <a className="p-link" href={`${PORTAL_BASE}${PAGES.instantVatLanding.path}`}>
          Start page
        </a>
      )}
      <Link className="p-link" to={helpPath(pathname, search)}>
        Help
      </Link>
      {/* Whoever is not signed in finds the way to log in on the page itself. */}
      {isSignedIn && (
        <Link className="p-link" to={PAGES.logout.path} onClick={clearSavedData}>
          Log out
        </Link>
      )}
    </nav>
  );
}

/** What this browser remembers goes first, then the logout route (specification 4). */
const clearSavedData = (): void => localStorage.clear();
