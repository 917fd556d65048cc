import clsx from 'clsx';
import { Icon, type IconName } from './icon.tsx';
import { getSoftClass, getToneClass, type Tone } from './tone.ts';
import styles from './state-chip.module.css';

/** A state shown as a label, icon and colour, because colour alone must not carry meaning (WCAG 1.4.1). */
export function StateChip({ label, icon, tone }: { label: string; icon: IconName; tone: Tone }) {
  return (
    <span className={clsx(styles.chip, getSoftClass(tone), getToneClass(tone))}>
      <Icon name={icon} size={18} />
      <span title={label} className={styles.label}>
        {label}
      </span>
    </span>
  );
}
