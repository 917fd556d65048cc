/**
 * Views of a list as tabs on one line, which scrolls horizontally to the current view. The tabs are links, so that each view can be shared.
 */
import { useRef } from 'react';
import { useCurrentInView } from '../lib/use-current-in-view.ts';
import { Link } from './link.tsx';
import styles from './view-tabs.module.css';

type ViewTabsProps = {
  current: string | undefined;
  /** `count` is null while it loads. Its space is already reserved. */
  tabs: readonly { readonly key: string; readonly name: string; readonly to: string; readonly count?: number | null | undefined }[];
};

export function ViewTabs({ current, tabs }: ViewTabsProps) {
  const list = useRef<HTMLUListElement>(null);
  useCurrentInView(list, current);
  return (
    <nav aria-label="Views" className={styles.tabs}>
      <ul ref={list} className={styles.list}>
        {tabs.map(({ key, name, to, count }) => (
          <li key={key}>
            <Link to={to} replace preventScrollReset aria-current={key === current ? 'page' : undefined} className={styles.tab}>
              <span data-label={name} className={styles.name}>
                {name}
              </span>
              {count !== undefined && <span className={styles.count}>{count?.toLocaleString('en-GB')}</span>}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
