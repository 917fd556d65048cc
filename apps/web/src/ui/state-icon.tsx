import clsx from 'clsx';
import { Icon, type IconName } from './icon.tsx';
import { Spinner } from './spinner.tsx';
import { getSoftClass, getToneClass } from './tone.ts';
import styles from './status-panel.module.css';

/** The five states of the status panel (docs/product/specification.md section 2.6). */
export type PanelState = 'success' | 'error' | 'warning' | 'pending' | 'loading';

const ICONS: Readonly<Record<Exclude<PanelState, 'loading'>, { icon: IconName; tone: 'success' | 'error' | 'warning' | 'info' }>> = {
  success: { icon: 'check', tone: 'success' },
  error: { icon: 'close', tone: 'error' },
  warning: { icon: 'warning', tone: 'warning' },
  pending: { icon: 'clock', tone: 'info' },
};

/** Accessible names of the icons, used if there is no heading. */
const LABELS: Readonly<Record<PanelState, string>> = {
  success: 'Done',
  error: 'Error',
  warning: 'Warning',
  pending: 'Waiting',
  loading: 'Loading',
};

/** A state's icon, 80 by 80 px. `isNamed` gives it an accessible name, for when no text names the state. */
export function StateIcon({ state, isNamed = false }: { state: PanelState; isNamed?: boolean }) {
  const nameProps = isNamed ? { role: 'img', 'aria-label': LABELS[state] } : {};
  if (state === 'loading') {
    return (
      <div {...nameProps} className={styles.icon}>
        <Spinner size={64} />
      </div>
    );
  }
  const { icon, tone } = ICONS[state];
  return (
    <div {...nameProps} className={clsx(styles.icon, getSoftClass(tone), getToneClass(tone))}>
      <Icon name={icon} size={44} />
    </div>
  );
}
