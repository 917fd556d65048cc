import { useEffect, useState } from 'react';

/** HMRC mostly answers sooner; from here on a person wonders whether anything happens. */
const WONDERING_AFTER_MS = 4_000;

/** Whether something has been busy for so long that it must be said why. */
export function useTakesLong(busy: boolean): boolean {
  const [takesLong, setTakesLong] = useState(false);
  useEffect(() => {
    if (!busy) return undefined;
    const timer = setTimeout(() => setTakesLong(true), WONDERING_AFTER_MS);
    return () => {
      clearTimeout(timer);
      setTakesLong(false);
    };
  }, [busy]);
  return takesLong;
}
