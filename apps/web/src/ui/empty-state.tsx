import clsx from 'clsx';
import type { ReactNode } from 'react';
import styles from './empty-state.module.css';
import { Heading, Text } from './text.tsx';

type EmptyStateProps = {
  illustration: ReactNode;
  title: string;
  text: ReactNode;
  /** The next step: a button. */
  children?: ReactNode;
  /** Whether it has a border of its own, instead of being part of a card with a title. */
  framed?: boolean;
};

/** A list or page without content: what it will show, and what to do next. */
export function EmptyState({ illustration, title, text, children, framed = false }: EmptyStateProps) {
  return (
    <div className={clsx(styles.empty, framed && styles.framed)}>
      {illustration}
      <Heading level={framed ? 2 : 3}>{title}</Heading>
      <Text tone="quiet" className={styles.text}>
        {text}
      </Text>
      {children}
    </div>
  );
}
