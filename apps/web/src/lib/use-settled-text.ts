import { useEffect, useState } from 'react';

/** The specification's default debounce (section 9). */
const DEBOUNCE_MS = 166;

/** A text once nobody has changed it for a moment: what is searched for while somebody types. */
export function useSettledText(text: string, delayMs: number = DEBOUNCE_MS): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), delayMs);
    return () => clearTimeout(timer);
  }, [text, delayMs]);
  return settled;
}
