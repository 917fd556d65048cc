import clsx from 'clsx';
import type { ReactNode } from 'react';
import { getToneClass } from './tone.ts';
import styles from './key-figure.module.css';

type KeyFigureProps = {
  figure: ReactNode;
  /** The meaning of the figure, with the direction of payment in words. */
  label: ReactNode;
  /** The source and date of the figure, or its components. */
  details?: ReactNode;
  tone?: 'error' | undefined;
};

/** The main number of a card, with its label and source below. */
export function KeyFigure({ figure, label, details, tone }: KeyFigureProps) {
  return (
    <div>
      <p className={clsx(styles.figure, tone !== undefined && getToneClass(tone))}>{figure}</p>
      <p className={styles.label}>{label}</p>
      {details === undefined ? null : <div className={styles.details}>{details}</div>}
    </div>
  );
}
