// Checks the spelling of texts in the web app, the server, the contract and the domain.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../../../..');

function readLines(folder: string): { path: string; line: string }[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path))
    .flatMap((path) => {
      const text = readFileSync(join(ROOT, folder, path), 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '');
      return text.split('\n').map((line) => ({ path, line: line.replace(/(^|\s)\/\/ .*/, '') }));
    });
}

describe('displayed text', () => {
  // Allows the specification's own wording: "Sign up with email", "Email is required", "Invalid email address".
  it.each(['apps/web/src', 'apps/server/src', 'packages/contract/src', 'packages/domain/src'])(
    'spells email without a hyphen in %s',
    (folder) => {
      const lines = readLines(folder).filter(({ path, line }) => /\be-mail/i.test(line) && !path.endsWith('help/articles/contact.ts'));
      expect(lines).toEqual([]);
    },
  );

  it('formats every displayed VAT number', () => {
    const code = readLines('apps/web/src').filter(({ path }) => path.endsWith('.tsx'));
    expect(code.filter(({ line }) => line.includes('formatVrn(')).length).toBeGreaterThan(8);
    const unformattedLines = code.filter(
      ({ line }) => /(?:[>\s]\{|\$\{|value: )(?:\w+\??\.)*vrn(?!\s*[=!]==)\}?(?:[`}<,\s]|$)/.test(line) && !line.includes('vrn={'),
    );
    expect(unformattedLines).toEqual([]);
  });
});
