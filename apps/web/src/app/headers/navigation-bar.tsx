/**
 * The links of the main navigation, in the header from 1024 px. Smaller screens have the menu (docs/product/specification.md section 2.6).
 * All links have the same width whether they are current or not, so that nothing moves when the page changes.
 */
import { useLocation } from 'react-router';
import { Link } from '../../ui/link.tsx';
import type { NavigationLink } from '../navigation-links.ts';
import styles from './navigation-bar.module.css';

type NavigationBarProps = {
  /** Accessible name: "OpenTax". */
  label: string;
  links: readonly NavigationLink[];
  /** Operators have no menu, so their links are shown at every width. */
  alwaysShown?: boolean;
};

export function NavigationBar({ label, links, alwaysShown = false }: NavigationBarProps) {
  const here = useLocation().pathname.replace(/\/+$/, '');
  return (
    <nav aria-label={label} className={alwaysShown ? styles.always : styles.wide}>
      <ul className={styles.links}>
        {links.map(({ label: name, to, paths = [] }) => {
          const path = to.split('?')[0];
          const current = here === path ? 'page' : paths.includes(here) ? 'true' : undefined;
          return (
            <li key={name}>
              <Link to={to} aria-current={current} data-label={name} className={styles.link}>
                {name}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
