/** Opens the command palette with Ctrl+K or Cmd+K on every page while the user is signed in. */
import { createContext, lazy, Suspense, useCallback, useContext, useEffect, useMemo, useReducer, type ReactNode } from 'react';
import { useLocation } from 'react-router';
import { useSession } from '../../core/session.tsx';
import { isExternalUser } from '../navigation.ts';

/** Called on hover or focus of the button, so that the palette has loaded by the time the button is pressed. */
export const loadPalette = () => import('./command-palette.tsx');

const Palette = lazy(() => loadPalette().then((file) => ({ default: file.CommandPalette })));

const OpenPalette = createContext<(() => void) | undefined>(undefined);

/** Opens the palette. Undefined where the palette isn't available: for visitors and external users, and in the demo. */
export const useOpenPalette = (): (() => void) | undefined => useContext(OpenPalette);

type PaletteState = { readonly isOpen: boolean; readonly openings: number };

/**
 * Counts openings, so that each one gets a new palette. Otherwise, pressing Ctrl+K right after a command, before the page rerenders, would
 * show the palette whose command has already run, and Enter would do nothing.
 */
export function paletteReducer({ isOpen, openings }: PaletteState, change: 'open' | 'close' | 'toggle'): PaletteState {
  const opens = change === 'open' || (change === 'toggle' && !isOpen);
  return { isOpen: opens, openings: openings + (opens ? 1 : 0) };
}

export function PaletteProvider({ children }: { children: ReactNode }) {
  const { search } = useLocation();
  const { session } = useSession();
  const [{ isOpen, openings }, change] = useReducer(paletteReducer, { isOpen: false, openings: 0 });
  const isOffered = session.status === 'signed_in' && !isExternalUser(search);
  const open = useCallback(() => change('open'), []);
  const close = useCallback(() => change('close'), []);
  useEffect(() => {
    if (!isOffered) return undefined;
    const toggle = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || event.ctrlKey === event.metaKey || event.altKey || event.shiftKey) return;
      event.preventDefault();
      change('toggle');
    };
    document.addEventListener('keydown', toggle);
    return () => document.removeEventListener('keydown', toggle);
  }, [isOffered]);
  const value = useMemo(() => (isOffered ? open : undefined), [isOffered, open]);
  return (
    <OpenPalette value={value}>
      {children}
      <Suspense fallback={null}>{isOpen && isOffered && <Palette key={openings} onClose={close} />}</Suspense>
    </OpenPalette>
  );
}
