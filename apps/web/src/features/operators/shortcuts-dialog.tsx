import { ModalDialog } from '../../ui/modal-dialog.tsx';
import styles from './shortcuts-dialog.module.css';
import { DESK_SHORTCUTS } from './use-desk-keys.ts';

/** The desk's keyboard shortcuts. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <ModalDialog open small heading="Keyboard shortcuts" onClose={onClose}>
      <dl className={styles.shortcuts}>
        {DESK_SHORTCUTS.map(({ keys, action }) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{action}</dd>
          </div>
        ))}
      </dl>
    </ModalDialog>
  );
}
