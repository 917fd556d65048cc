import type { ReactNode } from 'react';
import { FactList, type Fact } from './fact-list.tsx';
import { Stack } from './layout.tsx';
import styles from './record-cards.module.css';

type RecordCard = {
  readonly key: string;
  readonly title: ReactNode;
  readonly facts: readonly Fact[];
  /** The action on the record. */
  readonly action?: ReactNode;
};

/** A table's rows as cards on a phone, each with its action, so that no horizontal scrolling is needed. */
export function RecordCards({ label, cards }: { label: string; cards: readonly RecordCard[] }) {
  return (
    <Stack as="ul" gap={0} aria-label={label}>
      {cards.map(({ key, title, facts, action }) => (
        <li key={key} className={styles.card}>
          <div className={styles.title}>{title}</div>
          <FactList facts={facts} />
          {action}
        </li>
      ))}
    </Stack>
  );
}
