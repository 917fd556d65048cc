import clsx from 'clsx';
import type { ReactNode } from 'react';
import styles from './empty-state.module.css';
import { Heading, Text } from './text.tsx';

type EmptyStateProps = {
  illustration: ReactNode;
  title: string;
  text: ReactNode;
  /** The next step, as a button. */
  children?: ReactNode;
  /** Whether it has its own border, instead of being part of a titled card. */
  framed?: boolean;
};

/** Shown for a list or page without content: says what it will contain and what to do next. */
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
