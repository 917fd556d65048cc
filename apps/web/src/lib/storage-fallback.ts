/**
 * Browsers can block site storage, so that accessing it throws. Falls back to memory while the page is open, so that public pages still
 * work.
 */
export function installStorageFallback(host: Window = window): void {
  for (const name of ['localStorage', 'sessionStorage'] as const) {
    if (!isAvailable(host, name)) Object.defineProperty(host, name, { value: createMemoryStorage(), configurable: true });
  }
}

function isAvailable(host: Window, name: 'localStorage' | 'sessionStorage'): boolean {
  try {
    // If site data is blocked, the getter throws; some browsers return null instead.
    host[name].getItem('');
    return true;
  } catch {
    return false;
  }
}

function createMemoryStorage() {
  const entries = new Map<string, string>();
  return {
    get length() {
      return entries.size;
    },
    key: (index: number) => [...entries.keys()][index] ?? null,
    getItem: (name: string) => entries.get(name) ?? null,
    setItem: (name: string, value: string) => void entries.set(name, value),
    removeItem: (name: string) => void entries.delete(name),
    clear: () => entries.clear(),
  };
}
