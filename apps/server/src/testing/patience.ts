/** For what comes by itself, a webhook or the work of another process: a busy machine takes its time, and what never comes is still found. */
export const PATIENCE = { timeout: 60_000, interval: 50 } as const;
