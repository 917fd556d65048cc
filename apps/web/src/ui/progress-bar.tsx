import clsx from 'clsx';
import { useId } from 'react';
import styles from './progress.module.css';

type ProgressProps = {
  /** From 0 to 100. Undefined shows an indeterminate bar. */
  percent?: number | undefined;
} & ({ label: string; labelledBy?: undefined } | { labelledBy: string; label?: undefined });

/** A linear progress bar. `label` is its accessible name; `labelledBy` is the ID of a visible label. */
export function Progress({ percent, label, labelledBy }: ProgressProps) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-labelledby={labelledBy}
      className={styles.track}
      {...(percent === undefined
        ? {}
        : { 'aria-valuemin': 0, 'aria-valuemax': 100, 'aria-valuenow': Math.round(percent), 'aria-valuetext': `${Math.round(percent)}%` })}
    >
      <div
        className={clsx(styles.bar, percent === undefined && styles.indeterminate)}
        {...(percent === undefined ? {} : { style: { width: `${percent}%` } })}
      />
    </div>
  );
}

type ProgressBarProps = {
  /** What is in progress, for example "Reading your VAT periods". */
  label: string;
  /** From 0 to 100. Undefined shows an indeterminate bar. */
  percent?: number;
};

/** A centred linear progress bar with a visible label (docs/product/specification.md section 2.6). */
export function ProgressBar({ label, percent }: ProgressBarProps) {
  const id = useId();
  return (
    <div className={styles.labelled}>
      <p id={id} className={styles.label}>
        {label}
      </p>
      <Progress labelledBy={id} percent={percent} />
    </div>
  );
}
