import { useCallback, useSyncExternalStore } from 'react';

/** The widths at which a page's columns change; MUI's theme has the same (theme.ts). */
export const BELOW = { sm: '(max-width:599.95px)', md: '(max-width:899.95px)', lg: '(max-width:1199.95px)' } as const;

/** Where a card of the dashboard has no room for a table: on a phone, and where it shares its row before the window is a desk's. */
export const TOO_NARROW_FOR_TABLE = '(max-width:767.95px), (min-width:900px) and (max-width:1199.95px)';

/** Undefined where there is no window to measure: then nothing is narrow. */
const getMediaQueryList = (query: string): MediaQueryList | undefined => (typeof matchMedia === 'function' ? matchMedia(query) : undefined);

/** Whether the window is as the query says; drawn anew when that changes. */
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
