import { useEffect, type RefObject } from 'react';

/**
 * Scrolls a row of links horizontally to bring the current one into view when `current` or the row's width changes. scrollIntoView would
 * also scroll the page.
 */
export function useCurrentInView(container: RefObject<HTMLElement | null>, current: string | undefined): void {
  useEffect(() => {
    const element = container.current;
    if (element === null) return undefined;
    scrollToCurrent(element);
    if (typeof ResizeObserver === 'undefined') return undefined;
    const observer = new ResizeObserver(() => scrollToCurrent(element));
    observer.observe(element);
    return () => observer.disconnect();
  }, [container, current]);
}

function scrollToCurrent(container: HTMLElement): void {
  const current = container.querySelector('[aria-current]')?.getBoundingClientRect();
  if (!current) return;
  const { left, right } = container.getBoundingClientRect();
  // A sticky menu at the end covers the links behind it.
  const end = container.querySelector('[data-stays]')?.getBoundingClientRect().left ?? right;
  if (current.left >= left && current.right <= end) return;
  // Align to a whole link: the first one that leaves room for the current one.
  const linkStarts = [...container.querySelectorAll('a')].map((link) => link.getBoundingClientRect().left);
  const start = linkStarts.find((other) => current.right - other <= end - left) ?? current.left;
  container.scrollLeft += Math.min(start, current.left) - left;
}
