import { useEffect, useState } from 'react';

/** The default in docs/product/specification.md section 9. */
const DEBOUNCE_MS = 166;

/** Returns the text once it hasn't changed for `delayMs`, for searching as the user types. */
export function useDebouncedText(text: string, delayMs: number = DEBOUNCE_MS): string {
  const [debounced, setDebounced] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), delayMs);
    return () => clearTimeout(timer);
  }, [text, delayMs]);
  return debounced;
}
