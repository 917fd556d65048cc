import { useSyncExternalStore } from 'react';

/** Returns the width of the window in px, with its scroll bar. */
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
