import { useOnline } from '../lib/online.ts';
import { Icon } from '../ui/icon.tsx';
import styles from './shell.module.css';

/** A note shown while the browser is offline: figures may be old, and nothing can be sent. */
export function OfflineNote() {
  const isOnline = useOnline();
  return (
    <div role="status">
      {!isOnline && (
        <div className={styles.offline}>
          <Icon name="offline" size={20} />
          You’re offline. Figures may be out of date, and you can’t save changes until you’re back online.
        </div>
      )}
    </div>
  );
}
