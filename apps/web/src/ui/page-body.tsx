import './plain.css';
import type { ReactNode, Ref } from 'react';

/** Widths in px: of forms, pages of text, dashboards and tables. */
const WIDTHS = { form: 560, text: 760, wide: 1200, full: 1536 } as const;

export type PageBodyProps = {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
  /** Buttons beside the heading. */
  actions?: ReactNode;
  maxWidth?: keyof typeof WIDTHS;
};

/** The visible part of a page: the main landmark with its heading. */
export function PageBody({
  title,
  lead,
  children,
  actions,
  maxWidth = 'wide',
  heading,
}: PageBodyProps & { heading?: Ref<HTMLHeadingElement> }) {
  return (
    <main id="main" tabIndex={-1} className="p-page" style={{ maxWidth: WIDTHS[maxWidth] }}>
      <div className="p-page-head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {lead !== undefined && <div className="p-page-lead">{lead}</div>}
        </div>
        {actions !== undefined && <div className="p-row">{actions}</div>}
      </div>
      {children}
    </main>
  );
}
