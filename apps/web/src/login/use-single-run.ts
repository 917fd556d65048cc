import { useRef, useState } from 'react';

export type SingleRun = { readonly run: () => void; readonly isRunning: boolean; readonly error: unknown };

/**
 * Runs an operation once at a time, because a second Enter can arrive before the disabled button is rendered. It stays running after
 * success, because the page is being left.
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
