/**
 * The links of the main navigation, in the header from 1024 px. On smaller screens, the menu has them (docs/product/specification.md
 * section 2.6). A link has the same width whether or not it is current, so that the layout doesn't shift when the page changes.
 */
import { lazy, Suspense, useRef } from 'react';
import { useLocation } from 'react-router';
import { Link } from '../../ui/link.tsx';
import { getAriaCurrent, type NavigationLink } from '../../lib/navigation-link.ts';
import { useCurrentInView } from '../../lib/use-current-in-view.ts';
import styles from './navigation-bar.module.css';

// Only operators have more links than the header has room for.
const DropdownMenu = lazy(() => import('../../ui/dropdown-menu.tsx').then((file) => ({ default: file.DropdownMenu })));

type NavigationBarProps = {
  /** Accessible name, for example "OpenTax". */
  label: string;
  links: readonly NavigationLink[];
  otherLinks?: readonly NavigationLink[];
  /** Operators don't have a menu, so their links are shown at every width. */
  alwaysShown?: boolean;
};

export function NavigationBar({ label, links, otherLinks = [], alwaysShown = false }: NavigationBarProps) {
  const currentPath = useLocation().pathname.replace(/\/+$/, '');
  const bar = useRef<HTMLElement>(null);
  useCurrentInView(bar, currentPath);
  return (
    <nav ref={bar} aria-label={label} className={alwaysShown ? styles.always : styles.wide}>
      <ul className={styles.links}>
        {links.map((link) => (
          <li key={link.label}>
            <Link to={link.to} aria-current={getAriaCurrent(link, currentPath)} data-label={link.label} className={styles.link}>
              {link.label}
            </Link>
          </li>
        ))}
        {otherLinks.length > 0 && (
          <li className={styles.more} data-stays data-current={otherLinks.some(({ to }) => to === currentPath) ? '' : undefined}>
            <Suspense fallback={<span className={styles.link}>More</span>}>
              <DropdownMenu
                label="More"
                top={otherLinks.map(({ label: name, to }) => ({ label: name, to, isCurrent: currentPath === to }))}
              />
            </Suspense>
          </li>
        )}
      </ul>
    </nav>
  );
}
