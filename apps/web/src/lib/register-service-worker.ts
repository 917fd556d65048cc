import { PORTAL_BASE } from './settings.ts';

/**
 * Registers the service worker that shows our own page when the portal can't be reached (public/service-worker.js), once the page has
 * loaded.
 */
export function registerServiceWorker(): void {
  // Service workers need HTTPS or localhost.
  if (!('serviceWorker' in navigator)) return;
  const register = async (): Promise<void> => {
    try {
      await navigator.serviceWorker.register(`${PORTAL_BASE}/service-worker.js`, { updateViaCache: 'none' });
    } catch {
      // Registration can fail in a private window. The browser then shows its own offline page; nothing else depends on ours.
    }
  };
  if (document.readyState === 'complete') void register();
  else addEventListener('load', () => void register(), { once: true });
}
