/** The phases of the sign-up dialog: open, leaving (200 ms, or none with reduced motion), closed. */
import { useCallback, useEffect, useState } from 'react';

export type DialogPhase = 'first' | 'open' | 'leaving' | 'closed';

const EXIT_MS = 200;

export function useDialogPhase(start: 'first' | 'closed' = 'first'): { phase: DialogPhase; open: () => void; close: () => void } {
  // `first` is the prerendered dialog. It isn't animated, because an element that moves in doesn't count as the largest contentful paint.
  const [phase, setPhase] = useState<DialogPhase>(start);
  const open = useCallback(() => setPhase('open'), []);
  const close = useCallback(() => setPhase('leaving'), []);
  useEffect(() => {
    if (phase !== 'leaving') return undefined;
    const delay = matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : EXIT_MS;
    const timer = setTimeout(() => setPhase('closed'), delay);
    return () => clearTimeout(timer);
  }, [phase]);
  return { phase, open, close };
}
