/** Links at the end of pages without a header, and so without a menu, on small screens (docs/product/specification.md section 2.6). */
import { PAGES, type Page } from '@portal/contract/pages.ts';
import { Link, useLocation } from 'react-router';
import { PORTAL_BASE } from '../lib/settings.ts';
import { helpPath } from './menu-entries.ts';
import { hasHeaderWhenSmall } from './navigation.ts';
import { useSession } from '../core/session.tsx';

export function FooterLinks({ page }: { page: (Page & { name: string }) | undefined }) {
  const { pathname, search } = useLocation();
  const { session } = useSession();
  // The profile page starts with these links itself.
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
      {/* Visitors find a log-in link on the page itself. */}
      {isSignedIn && (
        <Link className="p-link" to={PAGES.logout.path} onClick={clearSavedData}>
          Log out
        </Link>
      )}
    </nav>
  );
}

/** Logging out clears local storage first, then opens the logout route (docs/product/specification.md section 4). */
const clearSavedData = (): void => localStorage.clear();
