import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROVIDER_NAMES } from './send-errors.ts';

const SOURCES = join(import.meta.dirname, '../../../../packages/providers/src');

describe('a provider that fails', () => {
  it('is shown to users by a name that they know', () => {
    const sources = globSync('**/*.ts', { cwd: SOURCES, exclude: ['**/*.test.ts'] }).map((file) =>
      readFileSync(join(SOURCES, file), 'utf8'),
    );
    const providers = sources.flatMap((text) => [...text.matchAll(/\bprovider(?: =|:) '(\w+)'/g)].map(([, name = '']) => name));
    expect(new Set(providers).size).toBeGreaterThan(10);
    expect(Object.keys(PROVIDER_NAMES)).toEqual(expect.arrayContaining(providers));
  });
});
