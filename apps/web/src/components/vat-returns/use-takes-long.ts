import { useEffect, useState } from 'react';

/** HMRC usually responds sooner. Beyond this, users wonder what is happening. */
const SLOW_AFTER_MS = 4_000;

/** Returns true once something has taken long enough that the screen should explain why. */
export function useIsSlow(isBusy: boolean): boolean {
  const [takesLong, setTakesLong] = useState(false);
  useEffect(() => {
    if (!isBusy) return undefined;
    const timer = setTimeout(() => setTakesLong(true), SLOW_AFTER_MS);
    return () => {
      clearTimeout(timer);
      setTakesLong(false);
    };
  }, [isBusy]);
  return takesLong;
}
