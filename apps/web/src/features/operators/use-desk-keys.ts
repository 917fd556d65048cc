/** Keyboard control of the desk: j, k and the arrow keys move between rows; single letters act on the focused row. */
import { useEffect, useEffectEvent } from 'react';
import { focusFirstRow } from '../../ui/use-row-links.ts';

/** The shortcuts listed in the help. The browser handles Enter, because the row's name is a link. */
export const DESK_SHORTCUTS = [
  { keys: 'j or ↓', action: 'Next advance' },
  { keys: 'k or ↑', action: 'Previous advance' },
  { keys: 'Enter', action: 'Open the advance' },
  { keys: 'Space', action: 'Show or hide details' },
  { keys: 'a', action: 'Assign to me' },
  { keys: 'u', action: 'Unassign' },
  { keys: 'x', action: 'Select' },
  { keys: 'n', action: 'Write a note' },
  { keys: 'c', action: 'Open the company' },
  { keys: '/', action: 'Search' },
  { keys: '?', action: 'Show these shortcuts' },
] as const;

export type DeskKey = 'a' | 'u' | 'x' | 'n' | 'c' | ' ' | '?' | '/';

const ARROWS: Readonly<Record<string, string>> = { j: 'ArrowDown', k: 'ArrowUp' };
const KEYS: readonly string[] = ['a', 'u', 'x', 'n', 'c', ' ', '?', '/'];

/** Ignores keys while the user is typing, using a control, or in a dialog. */
export function useDeskKeys(onKey: (key: DeskKey) => void): void {
  const handle = useEffectEvent((event: KeyboardEvent): void => {
    const { target, key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || !(target instanceof Element)) return;
    if (target.closest('input, textarea, select, button, [contenteditable], [role="dialog"]') || document.querySelector('[role="dialog"]'))
      return;
    const arrowKey = ARROWS[key];
    if (arrowKey !== undefined) {
      event.preventDefault();
      if (target.closest('[data-index]'))
        target.dispatchEvent(new KeyboardEvent('keydown', { key: arrowKey, bubbles: true, cancelable: true }));
      else focusFirstRow();
      return;
    }
    if (!KEYS.includes(key)) return;
    event.preventDefault();
    onKey(key as DeskKey);
  });
  useEffect(() => {
    document.addEventListener('keydown', handle);
    return () => document.removeEventListener('keydown', handle);
  }, []);
}
