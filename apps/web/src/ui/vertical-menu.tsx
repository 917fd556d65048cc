import type { MenuEntry } from './menu-entry.tsx';
import { MenuEntryButton } from './menu-entry-button.tsx';
import styles from './vertical-menu.module.css';

type VerticalMenuProps = {
  /** Accessible name of the list, for example "Settings". */
  label: string;
  entries: readonly MenuEntry[];
  onChosen?: () => void;
};

/** A vertical list of text buttons with dividers between them (docs/product/specification.md section 2.6). */
export function VerticalMenu({ label, entries, onChosen }: VerticalMenuProps) {
  return (
    <nav aria-label={label}>
      <ul className={styles.entries}>
        {entries.map((entry) => (
          <li key={entry.label}>
            <MenuEntryButton
              entry={entry}
              onChosen={onChosen}
              variant="text"
              tone="secondary"
              fit="wide"
              startAligned
              className={styles.entry}
            />
          </li>
        ))}
      </ul>
    </nav>
  );
}
