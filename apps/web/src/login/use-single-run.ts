import { useRef, useState } from 'react';

export type SingleRun = { readonly run: () => void; readonly isRunning: boolean; readonly error: unknown };

/**
 * Prevents concurrent runs, because a second Enter may arrive before the disabled button is rendered. After success it stays running,
 * because the browser is about to leave the page.
 */
export function useSingleRun(work: () => Promise<void>): SingleRun {
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
