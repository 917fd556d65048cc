/**
 * Shows the offline page when a page of the portal cannot be loaded. Caches that page and its two files, and nothing else: no API response and
 * no page with personal data is ever stored (docs/decisions/0021-offline-page.md).
 */
// Ends in a hash of the cached files, so that a change to one of them installs a new cache; the test of this file prints the hash.
const CACHE = 'offline-page-a0351ba1';
const CACHED_PATHS = ['/portal/offline.html', '/portal/offline.js', '/portal/icon.svg'];

self.addEventListener('install', (event) => {
  const cacheOfflinePage = async () => {
    const cache = await caches.open(CACHE);
    await cache.addAll(CACHED_PATHS.map((path) => new Request(path, { cache: 'reload' })));
    // Take over at once: open tabs need nothing from the cache of the previous worker.
    await self.skipWaiting();
  };
  event.waitUntil(cacheOfflinePage());
});

self.addEventListener('activate', (event) => {
  const deleteOldCaches = async () => {
    const names = await caches.keys();
    await Promise.all(names.filter((name) => name.startsWith('offline-page-') && name !== CACHE).map((name) => caches.delete(name)));
    // The browser requests a page while this worker starts, so pages load as fast as without it.
    await self.registration.navigationPreload?.enable();
    await self.clients.claim();
  };
  event.waitUntil(deleteOldCaches());
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.mode === 'navigate') event.respondWith(loadPage(event));
  else if (CACHED_PATHS.includes(new URL(request.url).pathname) && new URL(request.url).origin === self.location.origin) {
    // Use the cache even with a network, so that the page and its script have the same version.
    event.respondWith(readCache(request.url));
  }
});

async function loadPage(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return readCache(CACHED_PATHS[0]);
  }
}

/** The browser may have cleared the cache. */
async function readCache(url) {
  const response = await (await caches.open(CACHE)).match(url);
  return response ?? fetch(url);
}
