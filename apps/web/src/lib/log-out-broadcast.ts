/** Logging out in one tab logs out all of them, because a browser has one session. */
const CHANNEL = 'portal-logged-out';

// Old browsers and some private windows have no BroadcastChannel. There, the next API request detects it.
const openChannel = (): BroadcastChannel | undefined =>
  typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(CHANNEL);

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
