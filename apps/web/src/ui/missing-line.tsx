import type { ReactNode } from 'react';
import styles from './missing-line.module.css';
import { Text } from './text.tsx';

/** The line beside the buttons of a form that says why they are disabled. The buttons refer to it by `id`. */
export function MissingLine({ id, children }: { id: string; children: ReactNode }) {
  return (
    <Text id={id} size="small" tone="quiet" className={styles.missing}>
      {children}
    </Text>
  );
}
