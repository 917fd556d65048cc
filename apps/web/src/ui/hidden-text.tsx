import type { ReactNode } from 'react';
import styles from './hidden-text.module.css';

/** Visually hidden text for screen readers. */
export function HiddenText({ children, role }: { children: ReactNode; role?: 'status' }) {
  return (
    <span className={styles.hidden} role={role}>
      {children}
    </span>
  );
}
