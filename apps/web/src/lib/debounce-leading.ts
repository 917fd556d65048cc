/** Runs the first of a burst of calls, and drops the rest until `delayMs` has passed without a call. */
export function debounceLeading(run: () => void, delayMs: number): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    const isFirst = timer === undefined;
    clearTimeout(timer);
    timer = setTimeout(() => {
      timer = undefined;
    }, delayMs);
    if (isFirst) run();
  };
}
