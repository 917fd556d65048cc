import { useId } from 'react';
import { Divider } from './divider.tsx';
import type { MenuEntry } from './menu-entry.tsx';
import { MenuEntryButton } from './menu-entry-button.tsx';
import styles from './menu-screen.module.css';
import { Heading } from './text.tsx';

type MenuScreenProps = {
  heading?: string;
  headingLevel?: 1 | 2 | 3;
  /** Whether there is a divider between the heading and the list. */
  divided?: boolean;
  entries: readonly MenuEntry[];
  /** Called after an item has been chosen, so that a menu that covers the page can close. */
  onChosen?: () => void;
};

/**
 * A menu that fills its container: heading, optional divider and a list of outlined buttons (docs/product/specification.md section 2.6).
 */
export function MenuScreen({ heading = 'Menu', headingLevel = 2, divided = false, entries, onChosen }: MenuScreenProps) {
  const id = useId();
  return (
    <nav aria-labelledby={id} className={styles.screen}>
      <Heading id={id} level={headingLevel} size="section" className={styles.heading}>
        {heading}
      </Heading>
      {divided && <Divider />}
      <ul className={styles.entries}>
        {entries.map((entry) => (
          <li key={entry.label}>
            <MenuEntryButton entry={entry} onChosen={onChosen} variant="outlined" tone="secondary" fit="wide" />
          </li>
        ))}
      </ul>
    </nav>
  );
}
