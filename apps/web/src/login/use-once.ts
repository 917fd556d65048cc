import { useRef, useState } from 'react';

export type Once = { readonly run: () => void; readonly isRunning: boolean; readonly error: unknown };

/** Runs a piece of work at most once at a time: a second Enter can arrive before the disabled button is drawn. Once done it stays busy, for it leaves the page. */
export function useOnce(work: () => Promise<void>): Once {
  const isRunning = useRef(false);
  const [state, setState] = useState<{ isRunning: boolean; error: unknown }>({ isRunning: false, error: undefined });
  const run = () => {
    if (isRunning.current) return;
    isRunning.current = true;
    setState({ isRunning: true, error: undefined });
    work().catch((error: unknown) => {
      isRunning.current = false;
      setState({ isRunning: false, error });
    });
  };
  return { run, ...state };
}
