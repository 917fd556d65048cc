import { Icon } from '../../ui/icon.tsx';
import { loadPalette, useOpenPalette } from './palette-state.tsx';
import styles from './palette-button.module.css';

/** Apple keyboards have a command key. */
const KEYS = /Mac|iP(?:hone|ad|od)/.test(globalThis.navigator?.platform ?? '') ? '⌘K' : 'Ctrl K';

/** Looks like a search field and opens the command palette. In the header from 1024 px. */
export function PaletteButton() {
  const open = useOpenPalette();
  if (open === undefined) return null;
  return (
    <button
      type="button"
      onClick={open}
      onPointerEnter={() => void loadPalette()}
      onFocus={() => void loadPalette()}
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      className={styles.button}
    >
      <Icon name="search" size={20} />
      <span className={styles.label}>Search</span>
      <kbd aria-hidden className={styles.keys}>
        {KEYS}
      </kbd>
    </button>
  );
}
