/** Opens the command palette with Ctrl+K or Cmd+K on every page of somebody who is signed in. */
import { createContext, lazy, Suspense, useCallback, useContext, useEffect, useMemo, useState, type ReactNode } from 'react';
import { useLocation } from 'react-router';
import { useSession } from '../../core/session.tsx';
import { isExternalUser } from '../navigation.ts';

/** Called on hover or focus of the button, so that the palette is loaded when it is pressed. */
export const loadPalette = () => import('./command-palette.tsx');

const Palette = lazy(() => loadPalette().then((file) => ({ default: file.CommandPalette })));

const OpenPalette = createContext<(() => void) | undefined>(undefined);

/** Opens the palette. Undefined where there is none: for visitors and external users, and in the demo. */
export const useOpenPalette = (): (() => void) | undefined => useContext(OpenPalette);

export function PaletteProvider({ children }: { children: ReactNode }) {
  const { search } = useLocation();
  const { session } = useSession();
  const [isOpen, setIsOpen] = useState(false);
  const isOffered = session.status === 'signed_in' && !isExternalUser(search);
  const open = useCallback(() => setIsOpen(true), []);
  const close = useCallback(() => setIsOpen(false), []);
  useEffect(() => {
    if (!isOffered) return undefined;
    const toggle = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || event.ctrlKey === event.metaKey || event.altKey || event.shiftKey) return;
      event.preventDefault();
      setIsOpen((wasOpen) => !wasOpen);
    };
    document.addEventListener('keydown', toggle);
    return () => document.removeEventListener('keydown', toggle);
  }, [isOffered]);
  const value = useMemo(() => (isOffered ? open : undefined), [isOffered, open]);
  return (
    <OpenPalette value={value}>
      {children}
      <Suspense fallback={null}>{isOpen && isOffered && <Palette onClose={close} />}</Suspense>
    </OpenPalette>
  );
}
