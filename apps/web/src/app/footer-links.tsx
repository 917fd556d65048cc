/**
 * Links at the end of pages that, on small screens, have no header and therefore no menu (docs/product/specification.md section 2.6).
 * Visitors get them on every screen, because their header has no help. Most of a practice's pages have a header without a menu: there they
 * are shown until the header has "Log out".
 */
import { PAGES } from '@portal/contract/pages.ts';
import type { Page } from '@portal/contract/pages/page.ts';
import clsx from 'clsx';
import { useLocation } from 'react-router';
import { PORTAL_BASE } from '../lib/settings.ts';
import { getHelpPath } from './menu-entries.ts';
import { hasHeaderWhenSmall, hasPractitionerNavigation, isExternalUser } from './navigation.ts';
import { useSession } from '../core/session.tsx';
import { TextLink } from '../ui/text-link.tsx';
import styles from './shell.module.css';

export function FooterLinks({ page }: { page: (Page & { name: string }) | undefined }) {
  const { pathname, search } = useLocation();
  const { session } = useSession();
  const isSignedIn = session.status === 'signed_in';
  const isVisitor = session.status === 'signed_out';
  // The profile page already has these links at the top.
  if (page === undefined || page.name === 'profile') return null;
  const isWithoutMenu = isSignedIn && page.header === 'practitioner' && !hasPractitionerNavigation(pathname, search);
  if (isWithoutMenu && !isExternalUser(search)) {
    return (
      <nav className={clsx(styles.footer, styles.untilLogOut)} aria-label="More">
        <TextLink to={getHelpPath(pathname, search)}>Help</TextLink>
        <LogOutLink />
      </nav>
    );
  }
  if (hasHeaderWhenSmall(page, pathname) && !(isVisitor && page.name === 'openTaxSignup')) return null;
  const landing = page.name === 'openTaxSignup' ? PAGES.openTaxLanding : PAGES.instantVatLanding;
  return (
    <nav className={clsx(styles.footer, !isVisitor && styles.onlySmall)} aria-label="More">
      {isSignedIn ? <TextLink to={PAGES.home.path}>Home</TextLink> : <TextLink href={`${PORTAL_BASE}${landing.path}`}>Home</TextLink>}
      <TextLink to={getHelpPath(pathname, search)}>Help</TextLink>
      {/* For visitors, the page itself has a log-in link. */}
      {isSignedIn && <LogOutLink />}
    </nav>
  );
}

function LogOutLink() {
  return (
    <TextLink to={PAGES.logout.path} onClick={clearSavedData}>
      Log out
    </TextLink>
  );
}

/** Logging out clears local storage first, then opens the logout route (docs/product/specification.md section 4). */
const clearSavedData = (): void => localStorage.clear();
