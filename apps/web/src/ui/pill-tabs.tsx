/**
 * Views of one page as tabs. The tabs are links, so that each view can be shared and bookmarked. On a phone, they wrap to two rows instead
 * of scrolling horizontally.
 */
import { Link } from './link.tsx';
import { Row } from './layout.tsx';
import styles from './pill-tabs.module.css';

type PillTabsProps = {
  label: string;
  current: string;
  tabs: readonly { readonly key: string; readonly label: string; readonly to: string }[];
};

export function PillTabs({ label, current, tabs }: PillTabsProps) {
  return (
    <nav aria-label={label} className={styles.tabs}>
      <Row as="ul" gap={8}>
        {tabs.map((tab) => (
          <li key={tab.key}>
            <Link to={tab.to} preventScrollReset aria-current={tab.key === current ? 'page' : undefined} className={styles.tab}>
              {tab.label}
            </Link>
          </li>
        ))}
      </Row>
    </nav>
  );
}
