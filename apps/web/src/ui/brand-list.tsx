import type { ReactNode } from 'react';
import styles from './brand-list.module.css';

/** Service buttons in two columns, or in one on a phone. `children`: one `li` per button. */
export function BrandList({ children }: { children: ReactNode }) {
  return <ul className={styles.list}>{children}</ul>;
}
