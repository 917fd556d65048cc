// Tests the service worker and the offline page as they are served, with browser globals that the test controls.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DARK, LIGHT } from '../core/tokens.ts';

const PUBLIC = join(import.meta.dirname, '../../public');
const read = (file: string) => readFileSync(join(PUBLIC, file), 'utf8');
const worker = read('service-worker.js');
const cachedPaths = [...(/CACHED_PATHS = \[([^\]]+)\]/.exec(worker)?.[1] ?? '').matchAll(/'([^']+)'/g)].map(([, path]) => path ?? '');

/** Runs the worker without a network. */
function runWorker() {
  const listeners = new Map<string, (event: unknown) => void>();
  const fetchMock = vi.fn<() => Promise<Response>>(async () => {
    throw new TypeError('offline');
  });
  const cache = {
    match: async (url: string) => new Response(`cached ${new URL(url, location.href).pathname}`),
    addAll: async () => undefined,
  };
  const caches = { open: async () => cache, keys: async () => [], delete: async () => true };
  const self = { addEventListener: (kind: string, listener: (event: unknown) => void) => listeners.set(kind, listener), location };
  runInContext(worker, createContext({ self, caches, fetch: fetchMock, URL, Request, Response }));
  const request = async (path: string, mode: string): Promise<string | undefined> => {
    let response: Promise<Response> | undefined;
    listeners.get('fetch')?.({
      request: { url: new URL(path, location.href).href, mode, method: 'GET' },
      preloadResponse: Promise.resolve(undefined),
      respondWith: (nextResponse: Promise<Response>) => (response = nextResponse),
    });
    return response === undefined ? undefined : (await response).text();
  };
  return { request, fetchMock };
}

describe('the service worker', () => {
  it('caches the offline page with all its files under a name that changes with them', () => {
    const neededPaths = [...read('offline.html').matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path ?? '');
    expect(cachedPaths.toSorted()).toEqual(['/portal/offline.html', ...neededPaths].toSorted());
    const hash = createHash('sha256');
    for (const path of cachedPaths) hash.update(read(path.replace('/portal/', '')));
    expect(/CACHE = '([^']+)'/.exec(worker)?.[1]).toBe(`offline-page-${hash.digest('hex').slice(0, 8)}`);
  });

  it('serves the offline page for every page that cannot be loaded', async () => {
    const { request } = runWorker();
    expect(await request('/portal/v2/instant-vat/dashboard?company_id=c1', 'navigate')).toBe('cached /portal/offline.html');
  });

  it('serves the offline page’s own files from the cache', async () => {
    const { request, fetchMock } = runWorker();
    expect(await request('/portal/offline.js', 'no-cors')).toBe('cached /portal/offline.js');
    expect(fetchMock).not.toHaveBeenCalled();
  });

  it.each(['/portal/instant-vat/dashboard', '/portal/assets/main.js', '/portal/v2/check-login', '/portal/healthz'])(
    'leaves other requests to the browser: %s',
    async (path) => {
      const { request, fetchMock } = runWorker();
      expect(await request(path, 'cors')).toBeUndefined();
      expect(fetchMock).not.toHaveBeenCalled();
    },
  );

  it('never stores a response from the network', () => {
    expect(worker).not.toMatch(/\.put\(|cache\.add\(/);
    expect(worker.match(/addAll/g)).toHaveLength(1);
  });
});

describe('the offline page', () => {
  it('has the colours of the tokens, because it is a static file', () => {
    const [light = '', dark = ''] = read('offline.html').split('@media (prefers-color-scheme: dark)');
    for (const [styles, { ground, paper, divider, text, textQuiet }] of [
      [light, LIGHT],
      [dark, DARK],
    ] as const) {
      for (const colour of [ground, paper, divider, text, textQuiet]) expect(styles).toContain(colour.toLowerCase());
    }
    expect([LIGHT.roles.primary.fill, DARK.roles.primary.fill]).toEqual(['#7440F5', '#7440F5']);
    expect(light).toContain('--main: #7440f5');
  });

  it('has no inline script, which the Content-Security-Policy would block', () => {
    expect(read('offline.html')).not.toMatch(/<script(?![^>]*\ssrc=)|\son\w+=/);
    expect(cachedPaths.every((path) => existsSync(join(PUBLIC, path.replace('/portal/', ''))))).toBe(true);
  });
});

type FetchOutcome = 'unreachable' | 'proxy error' | 'answers';

/** Opens the offline page. `set` changes the outcome of the next checks. */
function openPage({ isOnline = true, historyState }: { isOnline?: boolean; historyState?: unknown } = {}) {
  const page = new DOMParser().parseFromString(read('offline.html'), 'text/html');
  const listeners = new Map<string, () => void>();
  const navigator = { onLine: isOnline };
  const history = { state: historyState, replaceState: vi.fn<(state: unknown, title: string) => void>() };
  const reload = vi.fn<() => void>();
  let outcome: FetchOutcome = 'unreachable';
  const fetchMock = vi.fn<(url: string, options: RequestInit) => Promise<Response>>(async () => {
    if (outcome === 'unreachable') throw new TypeError('Failed to fetch');
    return new Response('', { status: outcome === 'answers' ? 200 : 502 });
  });
  const context = createContext({
    document: page,
    navigator,
    history,
    location: { reload },
    fetch: fetchMock,
    addEventListener: (kind: string, listener: () => void) => listeners.set(kind, listener),
    AbortSignal,
    Date,
    setTimeout,
    clearTimeout,
  });
  runInContext(read('offline.js'), context);
  const getText = (id: string): string => page.getElementById(id)?.textContent ?? '';
  return {
    set: (next: FetchOutcome) => (outcome = next),
    setOnline: (next: boolean) => {
      navigator.onLine = next;
      listeners.get(next ? 'online' : 'offline')?.();
    },
    focus: () => listeners.get('focus')?.(),
    pressTryNow: () => page.getElementById('try-now')?.click(),
    getHeading: () => page.querySelector('[data-cause]:not([hidden]) h1')?.textContent ?? '',
    getProgress: () => getText('progress'),
    getAnnouncement: () => getText('announcement'),
    getTitle: () => page.title,
    fetchMock,
    reload,
    history,
  };
}

/** Waits until the check is finished: each one is shown for at least 600 ms. */
const waitForCheck = () => vi.advanceTimersByTimeAsync(600);

describe('the script of the offline page', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('distinguishes being offline from a server that does not respond', async () => {
    expect(openPage({ isOnline: false }).getHeading()).toBe('You appear to be offline');
    const page = openPage({ isOnline: true });
    expect([page.getHeading(), page.getTitle()]).toEqual(['Our server isn’t answering', 'Our server isn’t answering']);
    page.setOnline(false);
    expect([page.getHeading(), page.getAnnouncement()]).toEqual(['You appear to be offline', 'You appear to be offline']);
  });

  it('says that the server does not respond when a proxy responds for it', async () => {
    const page = openPage({ isOnline: false });
    page.set('proxy error');
    page.focus();
    await waitForCheck();
    expect(page.getHeading()).toBe('Our server isn’t answering');
    expect(page.reload).not.toHaveBeenCalled();
  });

  it('checks the server after 1, 2, 4, 8 and 16 seconds, then every 30, bypassing caches', async () => {
    const page = openPage();
    for (const [index, seconds] of [1, 2, 4, 8, 16, 30, 30].entries()) {
      await vi.advanceTimersByTimeAsync(seconds * 1000 - 1);
      expect(page.fetchMock).toHaveBeenCalledTimes(index);
      await vi.advanceTimersByTimeAsync(1);
      expect(page.fetchMock).toHaveBeenCalledTimes(index + 1);
      expect(page.getProgress()).toBe('Checking the connection…');
      await waitForCheck();
    }
    expect(page.fetchMock.mock.lastCall).toEqual(['/portal/healthz', expect.objectContaining({ cache: 'no-store', redirect: 'error' })]);
  });

  it('counts down to the next check without announcing it', async () => {
    const page = openPage();
    const announcement = page.getAnnouncement();
    expect(page.getProgress()).toBe('Trying again in 1 second');
    await vi.advanceTimersByTimeAsync(1000);
    await waitForCheck();
    expect(page.getProgress()).toBe('Trying again in 2 seconds');
    await vi.advanceTimersByTimeAsync(1000);
    expect(page.getProgress()).toBe('Trying again in 1 second');
    expect(page.getAnnouncement()).toBe(announcement);
  });

  it('reloads the page when the server responds, without a network event', async () => {
    const page = openPage();
    page.set('answers');
    await vi.advanceTimersByTimeAsync(1000);
    await waitForCheck();
    expect(page.reload).toHaveBeenCalledOnce();
    expect([page.getProgress(), page.getAnnouncement()]).toEqual(['Connected. Loading your page…', 'Connected. Loading your page…']);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(page.reload).toHaveBeenCalledOnce();
  });

  it.each([
    ['the network is back', (page: ReturnType<typeof openPage>) => page.setOnline(true)],
    ['the window gets the focus', (page: ReturnType<typeof openPage>) => page.focus()],
    ['the button is pressed', (page: ReturnType<typeof openPage>) => page.pressTryNow()],
  ])('checks at once when %s', async (_when, trigger) => {
    const page = openPage({ isOnline: false });
    page.set('answers');
    trigger(page);
    expect(page.fetchMock).toHaveBeenCalledOnce();
    await waitForCheck();
    expect(page.reload).toHaveBeenCalledOnce();
  });

  it('announces the result of a check that the user requested', async () => {
    const page = openPage();
    page.pressTryNow();
    expect(page.getAnnouncement()).toBe('Checking the connection…');
    await waitForCheck();
    expect(page.getAnnouncement()).toBe('Still no connection. We’ll keep trying.');
  });

  it('waits longer after each reload, so that a page that keeps failing is not reloaded in a loop', async () => {
    const page = openPage({ historyState: { idx: 3, offlineReloads: 3 } });
    page.set('answers');
    expect(page.getProgress()).toBe('Trying again in 8 seconds');
    await vi.advanceTimersByTimeAsync(8000);
    await waitForCheck();
    expect(page.history.replaceState).toHaveBeenCalledWith({ idx: 3, offlineReloads: 4 }, '');
  });
});
