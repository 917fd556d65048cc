import { ATTENTION_GROUPS } from '@portal/domain/clients/attention.ts';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { LineSkeleton } from '../../ui/skeletons.tsx';
import styles from './dashboard-skeleton.module.css';

/** Placeholder while the totals and the year load. */
export function DashboardSkeleton() {
  return (
    <div aria-busy="true" className={styles.page}>
      <HiddenText role="status">Loading</HiddenText>
      {['attention', 'coming', 'totals'].map((card) => (
        <div key={card} className={styles.figures}>
          <LineSkeleton width="40%" height={28} />
          <LineSkeleton width="60%" height={44} />
          <LineSkeleton width="50%" height={24} />
        </div>
      ))}
      <div className={styles.year}>
        <LineSkeleton width="40%" height={28} />
      </div>
    </div>
  );
}

/** Placeholder while today's numbers and the table of colleagues load. */
export function TodaySkeleton() {
  return (
    <div className={styles.page}>
      <div className={styles.tiles}>
        {ATTENTION_GROUPS.map((group) => (
          <div key={group} className={styles.tile} />
        ))}
      </div>
      <div className={styles.colleagues} />
    </div>
  );
}
