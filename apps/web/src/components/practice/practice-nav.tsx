/** OpenTax's navigation on small screens: the same sections on every screen. Sections whose page doesn't exist yet are omitted. */
import { findPage } from '@portal/contract/pages.ts';
import { useLocation } from 'react-router';
import { Link } from '../../ui/link.tsx';
import styles from './practice-nav.module.css';

/** `also`: other paths that belong to the section but are not below its path. */
const SECTIONS: readonly { readonly label: string; readonly path: string; readonly also?: readonly string[] }[] = [
  { label: 'Today', path: '/v2/open-tax/dashboard' },
  { label: 'Clients', path: '/v2/open-tax/clients', also: ['/v2/open-tax/client-dashboard'] },
  { label: 'VAT returns', path: '/v2/open-tax/vat-returns', also: ['/v2/open-tax/client-vat-return', '/v2/open-tax/client-books'] },
  { label: 'Tasks', path: '/v2/open-tax/tasks' },
  { label: 'Assistant', path: '/v2/open-tax/agentic-mode' },
  { label: 'Messages', path: '/v2/open-tax/messages' },
  { label: 'Calendar', path: '/v2/open-tax/calendar' },
  { label: 'Settings', path: '/v2/open-tax/settings', also: ['/v2/open-tax/add-a-team-member'] },
];

/** Returns `page` for the section's own page and `true` for a page within it, whose link then leads back. */
function getAriaCurrent(pathname: string, { path, also }: (typeof SECTIONS)[number]): 'page' | 'true' | undefined {
  const currentPath = pathname.replace(/\/+$/, '');
  if (currentPath === path) return 'page';
  return also?.includes(currentPath) === true || currentPath.startsWith(`${path}/`) ? 'true' : undefined;
}

export function PracticeNav({ companyId }: { companyId: string }) {
  const { pathname } = useLocation();
  return (
    <nav aria-label="OpenTax" className={styles.nav}>
      <ul>
        {SECTIONS.filter(({ path }) => findPage(path) !== undefined).map((section) => (
          <li key={section.path}>
            <Link
              to={`${section.path}?${new URLSearchParams({ company_id: companyId })}`}
              aria-current={getAriaCurrent(pathname, section)}
              className={styles.link}
            >
              {section.label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
