/** Tests that the policy lists everything the code stores: every storage key and every cookie in the sources. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BROWSER_STORAGE } from './browser-storage.ts';

const WEB_SOURCE = join(import.meta.dirname, '../..');
const SERVER_SOURCE = join(import.meta.dirname, '../../../../server/src');

function readSources(folder: string): { path: string; text: string }[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path))
    .map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }));
}

const names = BROWSER_STORAGE.flatMap(({ name }) => name.split(', '));

describe('the list of browser storage', () => {
  it('has the key of every file that writes to a storage', () => {
    const writingFiles = readSources(WEB_SOURCE).filter(({ text }) => /(local|session)Storage[^\n]*\.?setItem|storage\.setItem/.test(text));
    expect(writingFiles.length).toBeGreaterThanOrEqual(4);
    for (const { path, text } of writingFiles) {
      const keys = [...text.matchAll(/const (?:[A-Z_]*KEY|PREFIX) = '([^']+)'/g)].map(([, key = '']) => key);
      expect([path, keys.length > 0, keys.filter((key) => !names.includes(key))]).toEqual([path, true, []]);
    }
  });

  it('has every cookie that the server sets', () => {
    // Metric names start like our cookies' names.
    const sources = readSources(SERVER_SOURCE).filter(({ path }) => !path.startsWith('observability/'));
    const cookies = sources.flatMap(({ text }) => [...text.matchAll(/'(?:__Host-)?(portal_[a-z]+)'/g)].map(([, name]) => name));
    expect(new Set(cookies).size).toBeGreaterThanOrEqual(3);
    for (const cookie of cookies) expect(names).toContain(cookie);
  });

  it('has every cookie that logging out of the chat removes', () => {
    const chat = readFileSync(join(WEB_SOURCE, 'lib/clear-chat.ts'), 'utf8');
    const cookies = [...(/CHAT_COOKIES = \[([^\]]+)\]/.exec(chat)?.[1] ?? '').matchAll(/'([^']+)'/g)].map(([, name]) => name);
    expect(cookies.length).toBeGreaterThan(0);
    for (const cookie of cookies) expect(names).toContain(cookie);
  });
});
