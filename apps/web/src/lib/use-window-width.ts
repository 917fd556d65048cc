import { useSyncExternalStore } from 'react';

/** Returns the window's width in px, including the scroll bar. */
export function useWindowWidth(): number {
  return useSyncExternalStore(
    subscribe,
    () => innerWidth,
    () => 0,
  );
}

function subscribe(onChange: () => void): () => void {
  addEventListener('resize', onChange);
  return () => removeEventListener('resize', onChange);
}
