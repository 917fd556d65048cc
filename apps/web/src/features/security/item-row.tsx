import type { ReactNode } from 'react';
import { Row, Stack } from '../../ui/layout.tsx';
import { Text } from '../../ui/text.tsx';
import styles from './item-row.module.css';

/** A list of a user's items: passkeys, sessions, sign-in methods. */
export function ItemList({ children, label }: { children: ReactNode; label: string }) {
  return (
    <Stack as="ul" gap={0} aria-label={label}>
      {children}
    </Stack>
  );
}

/** One item: its name, its details and its action. */
export function ItemRow({ title, facts, action }: { title: ReactNode; facts: ReactNode; action?: ReactNode }) {
  return (
    <Row as="li" justify="between" className={styles.item}>
      <div className={styles.text}>
        <Text weight="medium">{title}</Text>
        <Text as="div" size="small" tone="quiet">
          {facts}
        </Text>
      </div>
      {action}
    </Row>
  );
}
