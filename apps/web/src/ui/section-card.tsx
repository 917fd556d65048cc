import clsx from 'clsx';
import { useId, type ReactNode } from 'react';
import { Heading } from './text.tsx';
import styles from './section-card.module.css';

type SectionCardProps = {
  title?: string;
  /** One level below the page's title. */
  headingLevel?: 2 | 3;
  /** Shown beside the title: a chip, a link or a small button. */
  aside?: ReactNode;
  children: ReactNode;
  /** Source and date of the figures, for example "HMRC, 21 November 2026, 09:14". */
  source?: ReactNode;
  className?: string | undefined;
};

/** A white card with a border, about one subject: title, content and source of the figures. */
export function SectionCard({ title, headingLevel = 2, aside, children, source, className }: SectionCardProps) {
  const id = useId();
  return (
    <section className={clsx(styles.card, className)} aria-labelledby={title === undefined ? undefined : id}>
      {(title !== undefined || aside !== undefined) && (
        <div className={styles.head}>
          {title !== undefined && (
            <Heading id={id} level={headingLevel} size="section">
              {title}
            </Heading>
          )}
          {aside}
        </div>
      )}
      {children}
      {source !== undefined && <div className={styles.source}>{source}</div>}
    </section>
  );
}
