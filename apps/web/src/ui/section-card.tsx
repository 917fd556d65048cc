import './plain.css';
import { useId, type ReactNode } from 'react';

type SectionCardProps = {
  title?: string;
  /** The level below the page's title. */
  headingLevel?: 'h2' | 'h3';
  /** Beside the title: a chip, a link, a small button. */
  aside?: ReactNode;
  children: ReactNode;
  /** Where the figures come from and of when: "HMRC, 21 November 2026, 09:14". */
  source?: ReactNode;
};

/** A white card with a border: one subject, its title, its content, its source. */
export function SectionCard({ title, headingLevel: Heading = 'h2', aside, children, source }: SectionCardProps) {
  const id = useId();
  return (
    <section className="p-card" aria-labelledby={title === undefined ? undefined : id}>
      {(title !== undefined || aside !== undefined) && (
        <div className="p-card-head">
          {title !== undefined && (
            <Heading id={id} className="p-card-title">
              {title}
            </Heading>
          )}
          {aside}
        </div>
      )}
      {children}
      {source !== undefined && <div className="p-card-source p-small p-quiet">{source}</div>}
    </section>
  );
}
