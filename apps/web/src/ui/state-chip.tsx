import clsx from 'clsx';
import { Icon, type IconName } from './icon.tsx';
import styles from './state-chip.module.css';
import { getSoftClass, getToneClass, type Tone } from './tone.ts';

/** A state as label, icon and colour, because colour alone must not carry meaning (WCAG 1.4.1). */
export function StateChip({ label, icon, tone }: { label: string; icon: IconName; tone: Tone }) {
  return (
    <span className={clsx(styles.chip, getSoftClass(tone), getToneClass(tone))}>
      <Icon name={icon} size={18} />
      {label}
    </span>
  );
}
