/**
 * Returns a signal that is aborted with the first of `signals`. `AbortSignal.any` can miss an abort once nothing else refers to the signal
 * that had it (github.com/nodejs/node/issues/65995).
 */
export function joinSignals(...signals: readonly AbortSignal[]): AbortSignal {
  const controller = new AbortController();
  for (const signal of signals) {
    const follow = (): void => controller.abort(signal.reason);
    if (signal.aborted) follow();
    else signal.addEventListener('abort', follow, { once: true });
  }
  return controller.signal;
}
