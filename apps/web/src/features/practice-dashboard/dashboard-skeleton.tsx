import { HiddenText } from '../../ui/hidden-text.tsx';
import { LineSkeleton } from '../../ui/skeletons.tsx';
import styles from './dashboard-skeleton.module.css';

/** The place of the navigation, the totals and the year while they load. */
export function DashboardSkeleton() {
  return (
    <div aria-busy="true" className={styles.page}>
      <HiddenText role="status">Loading</HiddenText>
      <div className={styles.tabs} />
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
