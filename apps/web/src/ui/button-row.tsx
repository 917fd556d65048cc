import type { ReactNode } from 'react';
import styles from './button-row.module.css';

/** A page's actions, main one first: side by side, or stacked at full width on a phone. */
export function ButtonRow({ children }: { children: ReactNode }) {
  return <div className={styles.buttons}>{children}</div>;
}
