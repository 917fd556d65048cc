import { describe, expect, it } from 'vitest';
import { installStorageFallback } from './storage-fallback.ts';

const blockedStorage = {
  get() {
    throw new DOMException('Access is denied for this document.', 'SecurityError');
  },
  configurable: true,
};

describe('a browser that blocks site storage', () => {
  it.each(['localStorage', 'sessionStorage'] as const)('keeps items of %s in memory', (name) => {
    const host = Object.defineProperty({}, name, blockedStorage) as Window;
    expect(() => host[name]).toThrow('denied');
    installStorageFallback(host);
    expect(host[name].getItem('g-company')).toBeNull();
    host[name].setItem('g-company', 'a');
    expect(host[name].getItem('g-company')).toBe('a');
    expect(host[name].key(0)).toBe('g-company');
    host[name].removeItem('g-company');
    expect(host[name].length).toBe(0);
  });

  it('keeps both storages separate', () => {
    const host = Object.defineProperties({}, { localStorage: blockedStorage, sessionStorage: blockedStorage }) as Window;
    installStorageFallback(host);
    host.localStorage.setItem('partner', 'swoop');
    host.sessionStorage.setItem('partner', 'azets');
    host.localStorage.clear();
    expect([host.localStorage.getItem('partner'), host.sessionStorage.getItem('partner')]).toEqual([null, 'azets']);
  });
});

it('leaves a working storage unchanged', () => {
  const before = window.localStorage;
  installStorageFallback();
  expect(window.localStorage).toBe(before);
});
