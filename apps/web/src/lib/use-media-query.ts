import { useCallback, useSyncExternalStore } from 'react';

/** Media queries for widths below the breakpoints of docs/product/specification.md section 9. */
export const MEDIA_BELOW = { sm: '(max-width:599.95px)', md: '(max-width:899.95px)', lg: '(max-width:1199.95px)' } as const;

/** Widths at which a table becomes cards. */
export const CARD_LAYOUT_QUERY = '(max-width:699.95px)';

/** Widths at which a table of six or more columns would need horizontal scrolling to reach the action at its end. */
export const TOO_NARROW_FOR_ACTIONS = '(max-width:1023.95px)';

/** Widths at which a dashboard card is too narrow for a table: on a phone, and when two cards share a row on a small desktop. */
export const TOO_NARROW_FOR_TABLE = '(max-width:767.95px), (min-width:900px) and (max-width:1199.95px)';

/** Returns undefined without a window, for example during prerendering. */
const getMediaQueryList = (query: string): MediaQueryList | undefined => (typeof matchMedia === 'function' ? matchMedia(query) : undefined);

export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const list = getMediaQueryList(query);
      list?.addEventListener('change', onChange);
      return () => list?.removeEventListener('change', onChange);
    },
    [query],
  );
  return useSyncExternalStore(
    subscribe,
    () => getMediaQueryList(query)?.matches ?? false,
    () => false,
  );
}
