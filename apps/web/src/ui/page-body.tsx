import clsx from 'clsx';
import type { ReactNode, Ref } from 'react';
import { Heading } from './text.tsx';
import styles from './page-body.module.css';

export type PageBodyProps = {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
  /** Buttons beside the heading. */
  actions?: ReactNode;
  /**
   * 560 px for forms, 768 px for text (a tablet's width, so that its edges align with the other pages), 1200 px for dashboards, 1536 px for
   * tables.
   */
  maxWidth?: 'form' | 'text' | 'wide' | 'full';
  /** Replaces the row of heading, lead and actions with a custom one, which must contain the heading. */
  renderHead?: (heading: ReactNode) => ReactNode;
  /** For working lists: puts the heading on the same line as the actions, with the content right below. */
  dense?: boolean;
  /** Shown above the heading: the navigation on small screens, in the same place on every page to avoid layout shifts. */
  before?: ReactNode;
};

/** The visible part of a page: the main landmark with its heading. */
export function PageBody({
  title,
  lead,
  children,
  actions,
  maxWidth = 'wide',
  renderHead,
  dense = false,
  before,
  heading,
}: PageBodyProps & { heading?: Ref<HTMLHeadingElement> }) {
  const titleHeading = (
    <Heading level={1} tabIndex={-1} className={styles.title} {...(heading === undefined ? {} : { ref: heading })}>
      {title}
    </Heading>
  );
  return (
    <main
      id="main"
      tabIndex={-1}
      className={clsx(styles.page, styles[maxWidth], before !== undefined && styles.withNavigation, dense && styles.dense)}
    >
      {before}
      {renderHead?.(titleHeading) ?? (
        <div className={styles.head}>
          <div className={styles.headings}>
            {titleHeading}
            {lead !== undefined && <div className={styles.lead}>{lead}</div>}
          </div>
          {actions !== undefined && <div className={styles.actions}>{actions}</div>}
        </div>
      )}
      {children}
    </main>
  );
}
