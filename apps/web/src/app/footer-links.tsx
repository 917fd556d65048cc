/** Links at the end of pages that, on small screens, have no header and therefore no menu (docs/product/specification.md section 2.6). */
import { PAGES } from '@portal/contract/pages.ts';
import type { Page } from '@portal/contract/pages/page.ts';
import { useLocation } from 'react-router';
import { PORTAL_BASE } from '../lib/settings.ts';
import { getHelpPath } from './menu-entries.ts';
import { hasHeaderWhenSmall } from './navigation.ts';
import { useSession } from '../core/session.tsx';
import { TextLink } from '../ui/text-link.tsx';
import styles from './shell.module.css';

export function FooterLinks({ page }: { page: (Page & { name: string }) | undefined }) {
  const { pathname, search } = useLocation();
  const { session } = useSession();
  // The profile page already has these links at the top.
  if (page === undefined || page.name === 'profile' || hasHeaderWhenSmall(page, pathname)) return null;
  const isSignedIn = session.status === 'signed_in';
  return (
    <nav className={styles.footer} aria-label="More">
      {isSignedIn ? (
        <TextLink to={PAGES.home.path}>Home</TextLink>
      ) : (
        <TextLink href={`${PORTAL_BASE}${PAGES.instantVatLanding.path}`}>Home</TextLink>
      )}
      <TextLink to={getHelpPath(pathname, search)}>Help</TextLink>
      {/* For visitors, the page itself has a log-in link. */}
      {isSignedIn && (
        <TextLink to={PAGES.logout.path} onClick={clearSavedData}>
          Log out
        </TextLink>
      )}
    </nav>
  );
}

/** Logging out clears local storage first, then opens the logout route (docs/product/specification.md section 4). */
const clearSavedData = (): void => localStorage.clear();
