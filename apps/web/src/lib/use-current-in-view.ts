import { useEffect, type RefObject } from 'react';

/**
 * Scrolls a row of links horizontally to bring the current one into view when `current` or the row's width changes. scrollIntoView would
 * also scroll the page.
 */
export function useCurrentInView(line: RefObject<HTMLElement | null>, current: string | undefined): void {
  useEffect(() => {
    const element = line.current;
    if (element === null) return undefined;
    showCurrent(element);
    if (typeof ResizeObserver === 'undefined') return undefined;
    const observer = new ResizeObserver(() => showCurrent(element));
    observer.observe(element);
    return () => observer.disconnect();
  }, [line, current]);
}

function showCurrent(line: HTMLElement): void {
  const current = line.querySelector('[aria-current]')?.getBoundingClientRect();
  if (!current) return;
  const { left, right } = line.getBoundingClientRect();
  // A sticky menu at the end covers the links behind it.
  const end = line.querySelector('[data-stays]')?.getBoundingClientRect().left ?? right;
  if (current.left >= left && current.right <= end) return;
  // Align to a whole link: the first one that leaves room for the current one.
  const starts = [...line.querySelectorAll('a')].map((link) => link.getBoundingClientRect().left);
  const start = starts.find((other) => current.right - other <= end - left) ?? current.left;
  line.scrollLeft += Math.min(start, current.left) - left;
}
