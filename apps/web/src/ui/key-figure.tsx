import './plain.css';
import type { ReactNode } from 'react';

type KeyFigureProps = {
  figure: ReactNode;
  /** What the figure is, with the direction of money in words. */
  label: ReactNode;
  /** Where it comes from and of when, or what it is made of. */
  details?: ReactNode;
  tone?: 'error' | undefined;
};

/** The number a card is about: the number first, its label under it, its source within reach. */
export function KeyFigure({ figure, label, details, tone }: KeyFigureProps) {
  return (
    <div>
      <p className={tone === undefined ? 'p-figure' : `p-figure p-tone-${tone}`}>{figure}</p>
      <p className="p-figure-label">{label}</p>
      {details === undefined ? null : <div className="p-figure-details p-small p-quiet">{details}</div>}
    </div>
  );
}
