import { useEffect, useState } from 'react';

/** The specification's default debounce (section 9). */
const DEBOUNCE_MS = 166;

/** A text once nobody has changed it for a moment: what is searched for while somebody types. */
export function useDebouncedText(text: string, delayMs: number = DEBOUNCE_MS): string {
  const [debounced, setDebounced] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), delayMs);
    return () => clearTimeout(timer);
  }, [text, delayMs]);
  return debounced;
}
