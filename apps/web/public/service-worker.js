/**
 * Shows the offline page where a page of the portal cannot be reached. It keeps that page and what it is made of, and nothing else: no answer of
 * a call and no page with anybody's data is ever stored (docs/decisions/0021).
 */
// Named after what is kept, so that a changed page is fetched anew; src/app/offline-page.test.ts says the name.
const CACHE = 'offline-page-89116aaa';
const KEPT = ['/portal/offline.html', '/portal/offline.js', '/portal/icon.svg'];

self.addEventListener('install', (event) => {
  const keep = async () => {
    const cache = await caches.open(CACHE);
    await cache.addAll(KEPT.map((path) => new Request(path, { cache: 'reload' })));
    // It holds nothing that a page in another tab could have begun with an older one.
    await self.skipWaiting();
  };
  event.waitUntil(keep());
});

self.addEventListener('activate', (event) => {
  const replaceOlder = async () => {
    const names = await caches.keys();
    await Promise.all(names.filter((name) => name.startsWith('offline-page-') && name !== CACHE).map((name) => caches.delete(name)));
    // The browser asks for the page while this script is being started: pages come no later than without it.
    await self.registration.navigationPreload?.enable();
    await self.clients.claim();
  };
  event.waitUntil(replaceOlder());
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.mode === 'navigate') event.respondWith(openPage(event));
  else if (KEPT.includes(new URL(request.url).pathname) && new URL(request.url).origin === self.location.origin) {
    event.respondWith(fetch(request).catch(() => fromCache(request.url)));
  }
});

async function openPage(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return fromCache(KEPT[0]);
  }
}

async function fromCache(url) {
  const kept = await (await caches.open(CACHE)).match(url);
  return kept ?? Response.error();
}
