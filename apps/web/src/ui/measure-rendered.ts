/** Measures the height of a virtual row that has been laid out, in px. */
import { measureElement, type Virtualizer } from '@tanstack/react-virtual';

/**
 * Measures a row for a virtual list's `measureElement` option.
 *
 * A row on a hidden page (before the session is known, or behind the open menu) has no height. If it counted as 0, the list would
 * scroll by that row's height as soon as the page is shown, so such a row keeps its last height, or the estimated one.
 */
export function measureRendered<Scroller extends Element | Window>(
  row: Element,
  entry: ResizeObserverEntry | undefined,
  virtualizer: Virtualizer<Scroller, Element>,
): number {
  if (row.getClientRects().length > 0) return measureElement(row, entry, virtualizer);
  return measureElement(row, undefined, virtualizer) || virtualizer.options.estimateSize(virtualizer.indexFromElement(row));
}
