import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const SOURCE = join(import.meta.dirname, '../..');
/** The pages that clients see, and the forms with which an invited client joins. */
const CLIENT_PAGES = [
  'features/clients-portal/*.tsx',
  'components/{client-conversation,client-files,practice-brand}/*.tsx',
  'app/headers/clients-portal-header.tsx',
  'features/identity/client-sign-up-screen.tsx',
  'features/identity/accept-invitation.tsx',
];
/** Text between tags, and attributes that are shown or read out. */
const TEXTS = [
  /^\s+[A-Z][a-z]+ [a-z][^;={}()]*$/gm,
  />[^<>{}=&]*[A-Za-z]{2,}[^<>{}=]*<\//g,
  /\b(?:label: '[A-Z]\w*'|(?:label|title|hint|heading|\w+Label|aria-label)="[^"]*[a-z][^"]*")/g,
  /(?<!clientText\()'[A-Za-z]+,? [a-z]+ [^'\n]*'/g,
  /=\{`[^`\n]*[a-z]{3,} [a-z]{3,}[^`\n]*`\}/g,
];

it('client pages take every text from the catalogue, so that another language needs only another catalogue', () => {
  const files = CLIENT_PAGES.flatMap((pattern) => globSync(pattern, { cwd: SOURCE })).filter((file) => !file.includes('.test.'));
  expect(files.length).toBeGreaterThan(5);
  const literals = files.flatMap((file) => {
    const code = readFileSync(join(SOURCE, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
    return TEXTS.flatMap((text) => [...code.matchAll(text)].map(([found]) => `${file}: ${found.trim()}`));
  });
  expect(literals).toEqual([]);
});
