import clsx from 'clsx';
import type { CSSProperties, ReactNode } from 'react';
import { Heading, Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import styles from './section.module.css';

type SectionProps = { id: string; title: string; lead: string; children: ReactNode };

/** A component with its own link: /dev/components#status-panel. */
export function Section({ id, title, lead, children }: SectionProps) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} tabIndex={-1} className={styles.section}>
      <Heading id={`${id}-title`} level={2}>
        <TextLink href={`#${id}`} inheritsColour className={styles.link}>
          {title}
        </TextLink>
      </Heading>
      <Text tone="quiet" className={styles.lead}>
        {lead}
      </Text>
      {children}
    </section>
  );
}

/** Samples side by side, as many as fit. */
export function Samples({ children, minWidth = 280 }: { children: ReactNode; minWidth?: number }) {
  return (
    <div className={styles.samples} style={{ '--min-width': `${minWidth}px` } as CSSProperties}>
      {children}
    </div>
  );
}

type SampleProps = {
  /** The state that the sample shows. */
  name: string;
  /** Whether the component extends to the frame's edges, as on a page. */
  flush?: boolean;
  /** Whether the sample is as wide as the screen on phones. */
  bleeds?: boolean;
  children: ReactNode;
};

/** One state of a component. */
export function Sample({ name, flush = false, bleeds = false, children }: SampleProps) {
  return (
    <figure className={clsx(styles.sample, bleeds && styles.bleeds)}>
      <figcaption className={styles.name}>{name}</figcaption>
      <div className={clsx(!flush && styles.padded)}>{children}</div>
    </figure>
  );
}
