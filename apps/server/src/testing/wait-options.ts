/** How long to wait for asynchronous events such as webhooks or another process's work. Generous for a busy machine, but finite. */
export const WAIT_OPTIONS = { timeout: 60_000, interval: 50 } as const;
