import './plain.css';
import { useId, type ReactNode } from 'react';

type SectionCardProps = {
  title?: string;
  /** The level below the page's title. */
  headingLevel?: 'h2' | 'h3';
  /** Beside the title: a chip, a link or a small button. */
  aside?: ReactNode;
  children: ReactNode;
  /** Source and date of the figures: "HMRC, 21 November 2026, 09:14". */
  source?: ReactNode;
};

/** A white card with a border, for one subject: title, content and source. */
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
