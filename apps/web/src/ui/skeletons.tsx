import clsx from 'clsx';
import styles from './skeletons.module.css';

/** Placeholder for a line of text. */
export function LineSkeleton({ width, height }: { width: string; height: number }) {
  return <span className={styles.line} style={{ width, height }} />;
}

/** Placeholder for a card. */
export function CardSkeleton({ lines = 3 }: { lines?: number }) {
  return (
    <div className={styles.card}>
      <LineSkeleton width="40%" height={28} />
      {Array.from({ length: lines }, (_, line) => (
        <LineSkeleton key={line} width={`${90 - line * 12}%`} height={24} />
      ))}
    </div>
  );
}

/** Placeholder for a table, with its row height. */
export function TableSkeleton({ rows = 6 }: { rows?: number }) {
  return (
    <div className={clsx(styles.card, styles.table)}>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className={styles.row}>
          <LineSkeleton width={`${80 - (row % 3) * 10}%`} height={20} />
        </div>
      ))}
    </div>
  );
}

/** Placeholder for a page of cards. */
export function PageSkeleton() {
  return (
    <div className={styles.page}>
      <CardSkeleton lines={2} />
      <CardSkeleton lines={4} />
    </div>
  );
}
