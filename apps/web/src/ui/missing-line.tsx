import type { ReactNode } from 'react';
import styles from './missing-line.module.css';
import { Text } from './text.tsx';

/** Explains beside a form's buttons why they are disabled. The buttons refer to it by `id`. */
export function MissingLine({ id, children }: { id: string; children: ReactNode }) {
  return (
    <Text id={id} size="small" tone="quiet" className={styles.missing}>
      {children}
    </Text>
  );
}
