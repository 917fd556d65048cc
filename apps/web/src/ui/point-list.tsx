import { Icon, type IconName } from './icon.tsx';
import type { Tone } from './tone.ts';
import styles from './point-list.module.css';

/** A list of short points, each with the same icon. */
export function PointList({ points, icon = 'check', tone = 'success' }: { points: readonly string[]; icon?: IconName; tone?: Tone }) {
  return (
    <ul className={styles.points}>
      {points.map((point) => (
        <li key={point}>
          <Icon name={icon} size={20} tone={tone} />
          <span>{point}</span>
        </li>
      ))}
    </ul>
  );
}
