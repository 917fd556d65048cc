/** OpenTax's navigation on small screens: the same sections on every screen. */
import { useLocation } from 'react-router';
import { getAriaCurrent } from '../../lib/navigation-link.ts';
import { Link } from '../../ui/link.tsx';
import styles from './practice-nav.module.css';
import { PRACTICE_SECTIONS } from './practice-sections.ts';

export function PracticeNav({ companyId }: { companyId: string }) {
  const { pathname } = useLocation();
  return (
    <nav aria-label="OpenTax" className={styles.nav}>
      <ul>
        {PRACTICE_SECTIONS.map((section) => (
          <li key={section.label}>
            <Link
              to={`${section.to}?${new URLSearchParams({ company_id: companyId })}`}
              aria-current={getAriaCurrent(section, pathname)}
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
