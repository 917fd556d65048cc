import clsx from 'clsx';
import { CardSkeleton, TableSkeleton } from '../../ui/skeletons.tsx';
import styles from './dashboard-screen.module.css';

/** Placeholder for the dashboard with the same columns, to avoid a layout shift. */
export function DashboardSkeleton() {
  return (
    <div className={styles.dashboard}>
      <div className={styles.whole}>
        <CardSkeleton lines={5} />
      </div>
      <div className={clsx(styles.figure, styles.leftFigure)}>
        <CardSkeleton lines={3} />
      </div>
      <div className={clsx(styles.figure, styles.rightFigure)}>
        <CardSkeleton lines={3} />
      </div>
      <div className={styles.left}>
        <CardSkeleton lines={7} />
      </div>
      <div className={styles.right}>
        <CardSkeleton lines={3} />
      </div>
      <div className={styles.whole}>
        <TableSkeleton rows={6} />
      </div>
    </div>
  );
}
