/**
 * Site storage can be switched off in a browser, and reading it then throws. What the portal keeps there lives in memory instead, for as long as
 * the page is open, so that every public page still opens.
 */
export function keepStorageUsable(host: Window = window): void {
  for (const name of ['localStorage', 'sessionStorage'] as const) {
    if (!works(host, name)) Object.defineProperty(host, name, { value: memoryStorage(), configurable: true });
  }
}

function works(host: Window, name: 'localStorage' | 'sessionStorage'): boolean {
  try {
    // Where site data is blocked the getter throws; some browsers answer null instead.
    host[name].getItem('');
    return true;
  } catch {
    return false;
  }
}

function memoryStorage() {
  const kept = new Map<string, string>();
  return {
    get length() {
      return kept.size;
    },
    key: (index: number) => [...kept.keys()][index] ?? null,
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
    clear: () => kept.clear(),
  };
}
