/** One browser has one session: whoever logs out in one tab is logged out in all of them. */
const CHANNEL = 'portal-logged-out';

// Old browsers and some private windows have no channel; there the next call finds out.
const openChannel = (): BroadcastChannel | undefined =>
  typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(CHANNEL);

/** Tells the other tabs of this browser that the session has ended. */
export function notifyOtherTabsOfLogOut(): void {
  const channel = openChannel();
  channel?.postMessage(null);
  channel?.close();
}

/** Hears of another tab's log-out, until stopped. */
export function onLogOutInOtherTab(listener: () => void): () => void {
  const channel = openChannel();
  channel?.addEventListener('message', listener);
  return () => channel?.close();
}
