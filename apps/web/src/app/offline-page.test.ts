// The page for a reload without a network: what its worker keeps, and what it never does.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { DARK, LIGHT } from './tokens.ts';

const PUBLIC = join(import.meta.dirname, '../../public');
const read = (file: string) => readFileSync(join(PUBLIC, file), 'utf8');
const worker = read('service-worker.js');
const kept = [...(/KEPT = \[([^\]]+)\]/.exec(worker)?.[1] ?? '').matchAll(/'([^']+)'/g)].map(([, path]) => path ?? '');

/** The worker's script with a browser around it: one where nothing can be reached. */
function runWorker() {
  const listeners = new Map<string, (event: unknown) => void>();
  const fetched = vi.fn<() => Promise<Response>>(async () => {
    throw new TypeError('offline');
  });
  const put = vi.fn<() => void>();
  const cache = { match: async (url: string) => new Response(`kept ${url}`), addAll: async () => undefined, put };
  const caches = { open: async () => cache, keys: async () => [], delete: async () => true };
  const scope = { addEventListener: (kind: string, listener: (event: unknown) => void) => listeners.set(kind, listener), location };
  // The script is the browser's own file: it is run as it is served.
  // eslint-disable-next-line typescript/no-implied-eval
  new Function('self', 'caches', 'fetch', worker)(scope, caches, fetched);
  const ask = async (path: string, mode: string): Promise<string | undefined> => {
    let answer: Promise<Response> | undefined;
    const request = { url: new URL(path, location.href).href, mode, method: 'GET' };
    listeners.get('fetch')?.({
      request,
      preloadResponse: Promise.resolve(undefined),
      respondWith: (given: Promise<Response>) => (answer = given),
    });
    return answer === undefined ? undefined : (await answer).text();
  };
  return { ask, fetched, put };
}

describe('the offline page', () => {
  it('keeps itself with all that it needs, under a name that changes with it', () => {
    const page = read('offline.html');
    const needed = [...page.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path ?? '');
    expect(kept.toSorted()).toEqual(['/portal/offline.html', ...needed].toSorted());
    const hash = createHash('sha256');
    for (const path of kept) hash.update(read(path.replace('/portal/', '')));
    expect(worker).toContain(`'offline-page-${hash.digest('hex').slice(0, 8)}'`);
  });

  it('has the tokens’ colours, which no script brings it', () => {
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

  it('has no inline script, which the Content-Security-Policy refuses', () => {
    expect(read('offline.html')).not.toMatch(/<script(?![^>]*\ssrc=)|\son\w+=/);
    expect(kept.every((path) => existsSync(join(PUBLIC, path.replace('/portal/', ''))))).toBe(true);
  });

  it('stands for every page that cannot be reached', async () => {
    expect(await runWorker().ask('/portal/v2/instant-vat/dashboard?company_id=c1', 'navigate')).toBe('kept /portal/offline.html');
  });

  it.each(['/portal/instant-vat/dashboard', '/portal/assets/main.js', '/portal/v2/check-login'])(
    'leaves alone what a page asks for: %s',
    async (path) => {
      const { ask, fetched } = runWorker();
      expect(await ask(path, 'cors')).toBeUndefined();
      expect(fetched).not.toHaveBeenCalled();
    },
  );

  it('never stores what comes from the network', () => {
    expect(worker).not.toMatch(/\.put\(|cache\.add\(/);
    expect(worker.match(/addAll/g)).toHaveLength(1);
  });
});
