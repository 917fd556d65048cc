/** Logging out in one tab logs out all tabs, because a browser has a single session. */
const CHANNEL_NAME = 'portal-logged-out';

// Old browsers and some private windows don't support BroadcastChannel. There, the next API request detects the log-out.
const openChannel = (): BroadcastChannel | undefined =>
  typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(CHANNEL_NAME);

export function notifyOtherTabsOfLogOut(): void {
  const channel = openChannel();
  channel?.postMessage(null);
  channel?.close();
}

/** Returns a function that removes the listener. */
export function onLogOutInOtherTab(listener: () => void): () => void {
  const channel = openChannel();
  channel?.addEventListener('message', listener);
  return () => channel?.close();
}
