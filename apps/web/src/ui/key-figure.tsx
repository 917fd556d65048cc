import './plain.css';
import type { ReactNode } from 'react';

type KeyFigureProps = {
  figure: ReactNode;
  /** What the figure means, with the direction of the money in words. */
  label: ReactNode;
  /** The source and date of the figure, or its components. */
  details?: ReactNode;
  tone?: 'error' | undefined;
};

/** The main number of a card, with its label and source below. */
export function KeyFigure({ figure, label, details, tone }: KeyFigureProps) {
  return (
    <div>
      <p className={tone === undefined ? 'p-figure' : `p-figure p-tone-${tone}`}>{figure}</p>
      <p className="p-figure-label">{label}</p>
      {details === undefined ? null : <div className="p-figure-details p-small p-quiet">{details}</div>}
    </div>
  );
}
