import { PORTAL_BASE } from './settings.ts';

/** Keeps the page that says that there is no network, for a reload without one (public/service-worker.js). Waits until the page itself has loaded. */
export function registerServiceWorker(): void {
  // Not where the portal is reached by plain http at another name than localhost.
  if (!('serviceWorker' in navigator)) return;
  const register = async (): Promise<void> => {
    try {
      await navigator.serviceWorker.register(`${PORTAL_BASE}/service-worker.js`, { updateViaCache: 'none' });
    } catch {
      // A browser that keeps nothing (a private window) shows its own page instead: nothing else depends on ours.
    }
  };
  if (document.readyState === 'complete') void register();
  else addEventListener('load', () => void register(), { once: true });
}
