/** Open, leaving (200 ms, none when the system asks for less motion), closed. */
import { useCallback, useEffect, useState } from 'react';

export type DialogPhase = 'first' | 'open' | 'leaving' | 'closed';

const LEAVE_MS = 200;

export function useDialogPhase(start: 'first' | 'closed' = 'first'): { phase: DialogPhase; open: () => void; close: () => void } {
  // `first` is the prerendered dialog: it stands still, because what moves in cannot be the largest thing painted first.
  const [phase, setPhase] = useState<DialogPhase>(start);
  const open = useCallback(() => setPhase('open'), []);
  const close = useCallback(() => setPhase('leaving'), []);
  useEffect(() => {
    if (phase !== 'leaving') return undefined;
    const delay = matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : LEAVE_MS;
    const timer = setTimeout(() => setPhase('closed'), delay);
    return () => clearTimeout(timer);
  }, [phase]);
  return { phase, open, close };
}
