/** Makes rows work as links: clicking anywhere on a row follows the link in its first cell, and the arrow keys move from link to link. */
import type { Virtualizer } from '@tanstack/react-virtual';
import { useEffect, useEffectEvent, useRef, type RefObject } from 'react';

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity };

const getRowSelector = (index: number): string => `[data-index="${index}"] a`;

/** Focuses the first row of the page's list, if there is one. */
export function focusFirstRow(): void {
  document.querySelector<HTMLElement>(getRowSelector(0))?.focus();
}

export function useRowLinks(list: RefObject<HTMLElement | null>, virtualizer: Virtualizer<Window, Element>, rowCount: number): void {
  // The row to focus as soon as it has been rendered.
  const targetIndexRef = useRef<number>(undefined);
  const applyPendingFocus = useEffectEvent((): void => {
    const link =
      targetIndexRef.current === undefined ? null : list.current?.querySelector<HTMLElement>(getRowSelector(targetIndexRef.current));
    if (!link) return;
    targetIndexRef.current = undefined;
    link.focus({ preventScroll: true });
  });
  const moveFocus = useEffectEvent((event: KeyboardEvent): void => {
    const step = STEPS[event.key];
    const row = event.target instanceof Element ? event.target.closest('[data-index]') : null;
    if (step === undefined || row === null || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    event.preventDefault();
    targetIndexRef.current = Math.min(rowCount - 1, Math.max(0, Number(row.getAttribute('data-index')) + step));
    virtualizer.scrollToIndex(targetIndexRef.current, { align: 'auto' });
    applyPendingFocus();
  });
  useEffect(() => applyPendingFocus());
  useEffect(() => {
    const element = list.current;
    element?.addEventListener('keydown', moveFocus);
    element?.addEventListener('click', followLink);
    return () => {
      element?.removeEventListener('keydown', moveFocus);
      element?.removeEventListener('click', followLink);
    };
  }, [list]);
}

/** As with any link, modifier keys decide whether the page opens in a new tab. Selecting text doesn't open anything. */
function followLink({ target, ctrlKey, metaKey, shiftKey }: MouseEvent): void {
  if (!(target instanceof Element) || target.closest('a, button, input, label') !== null || getSelection()?.isCollapsed === false) return;
  target
    .closest('[data-index]')
    ?.querySelector('a')
    ?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }));
}
