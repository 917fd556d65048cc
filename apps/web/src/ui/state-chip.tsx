import clsx from 'clsx';
import { Icon, type IconName } from './icon.tsx';
import { getSoftClass, getToneClass, type Tone } from './tone.ts';
import styles from './state-chip.module.css';

type StateChipProps = { label: string; icon: IconName; tone: Tone; title?: string };

/**
 * A state shown as a label, icon and colour, because colour alone must not carry meaning (WCAG 1.4.1). `title`: more words on hover than the
 * label has.
 */
export function StateChip({ label, icon, tone, title = label }: StateChipProps) {
  return (
    <span className={clsx(styles.chip, getSoftClass(tone), getToneClass(tone))}>
      <Icon name={icon} size={18} />
      <span title={title} className={styles.label}>
        {label}
      </span>
    </span>
  );
}
