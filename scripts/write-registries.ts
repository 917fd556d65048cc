/**
 * Generates the lists of the contract's endpoints, their handlers and the pages' screens from the files in their folders. Every npm command
 * runs it first (ensure.mjs). An endpoint without a handler, or a page without a screen, still gets a line, so that the build fails.
 */
import { existsSync, globSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { ACCOUNT_PAGES } from '@portal/contract/pages/account-pages.ts';
import { GENERAL_PAGES } from '@portal/contract/pages/general-pages.ts';
import { OPERATOR_PAGES } from '@portal/contract/pages/operator-pages.ts';
import type { Page } from '@portal/contract/pages/page.ts';
import { PRACTICE_PAGES } from '@portal/contract/pages/practice-pages.ts';
import { TRADER_PAGES } from '@portal/contract/pages/trader-pages.ts';

const root = join(import.meta.dirname, '..');
const HEADER = '// Written by scripts/write-registries.ts, which every npm command runs. Do not edit.\n';
const PRINT_WIDTH = 140;

/** Each list is a separate chunk, so that no page loads the others’ file names (docs/decisions/0086). */
const SCREEN_LISTS = {
  trader: TRADER_PAGES,
  practice: PRACTICE_PAGES,
  account: ACCOUNT_PAGES,
  general: GENERAL_PAGES,
  operator: OPERATOR_PAGES,
} as const;

/** An exported name and its file, relative to the repository's root. */
type Export = { readonly name: string; readonly file: string };

/** Lists exports from the matching files whose declarations match, sorted by name. */
function listExports(pattern: string, declaration: RegExp): readonly Export[] {
  return globSync(pattern, { cwd: root, exclude: (path) => path.includes('.test.') })
    .flatMap((file) => [...readFileSync(join(root, file), 'utf8').matchAll(declaration)].map((found) => ({ name: found[1] ?? '', file })))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

const endpoints = listExports('packages/contract/src/*.ts', /^export const (\w+Api) = \{/gm);
const handlers = listExports('apps/server/src/features/*/*-routes.ts', /^export function (\w+Handlers)\(/gm);
const screens = listExports('apps/web/src/**/*-screen.tsx', /^export (?:const|function) (\w+Screen)\b/gm);
const subjects = endpoints.map(({ name }) => name.replace(/Api$/, ''));

/** Returns the file that exports a name, or the one that is expected to. */
function findExportingFile(exports: readonly Export[], name: string, expected: string): string {
  return exports.find((candidate) => candidate.name === name)?.file ?? expected;
}

function writeEndpoints(file: string): void {
  const listNames = (file: string) => endpoints.filter((candidate) => candidate.file === file).map(({ name }) => name);
  const files = [...new Set(endpoints.map((candidate) => candidate.file))].toSorted();
  writeRegistry(file, [
    ...files.map((from) => formatImport(listNames(from), file, from)),
    '',
    '/** Every endpoint of the portal, by subject. */',
    'export const ALL_ENDPOINTS = {',
    ...subjects.map((subject) => `  ${subject}: ${subject}Api,`),
    '} as const;',
  ]);
}

function writeHandlers(file: string): void {
  const handlerFiles = subjects.map((subject) => {
    const expectedFile = `apps/server/src/features/${toKebab(subject)}/${toKebab(subject)}-routes.ts`;
    return { subject, from: findExportingFile(handlers, `${subject}Handlers`, expectedFile) };
  });
  const files = [...new Set(handlerFiles.map(({ from }) => from))].toSorted();
  writeRegistry(file, [
    "import type { ALL_ENDPOINTS } from '@portal/contract/all-endpoints.ts';",
    ...files.map((from) =>
      formatImport(
        handlerFiles.filter((candidate) => candidate.from === from).map(({ subject }) => `${subject}Handlers`),
        file,
        from,
      ),
    ),
    "import type { HandlerFactories } from './http/serve-contract.ts';",
    '',
    '/** The handlers of all endpoints, by subject. */',
    'export const ALL_HANDLERS: HandlerFactories<typeof ALL_ENDPOINTS> = {',
    ...subjects.map((subject) => `  ${subject}: ${subject}Handlers,`),
    '};',
  ]);
}

/** Lists the pages in each file of `contract/pages/`, except separate documents (`kind`). */
function listScreens(pages: Readonly<Record<string, Page>>) {
  return Object.entries(pages)
    .filter(([, { kind }]) => kind === undefined)
    .map(([name, page]) => {
      const screen = page.screen ?? `${name.charAt(0).toUpperCase()}${name.slice(1)}Screen`;
      const subject = toKebab(screen.replace(/Screen$/, ''));
      return { name, screen, from: findExportingFile(screens, screen, `apps/web/src/features/${subject}/${subject}-screen.tsx`) };
    });
}

function writeScreens(file: string, list: string, pages: Readonly<Record<string, Page>>): void {
  writeRegistry(file, [
    "import type { ComponentType } from 'react';",
    '',
    '/** The screen of each of these pages, loaded when it is opened. */',
    `export const ${list} = {`,
    ...listScreens(pages).map(({ name, screen, from }) => {
      const [key, load] = [`  ${name}: () =>`, `import('${getImportPath(file, from)}').then((module) => module.${screen}),`];
      return key.length + 1 + load.length > PRINT_WIDTH ? `${key}\n    ${load}` : `${key} ${load}`;
    }),
    '} as const satisfies Readonly<Record<string, () => Promise<ComponentType>>>;',
  ]);
}

function writeScreenFiles(file: string): void {
  writeRegistry(file, [
    '/** The file of each screen by its list, relative to the app. The build lists the scripts of each page with it. */',
    'export const SCREEN_FILES: Readonly<Record<string, Readonly<Record<string, string>>>> = {',
    ...Object.entries(SCREEN_LISTS).flatMap(([name, pages]) => [
      `  '${name}-screens': {`,
      ...listScreens(pages).map((screen) => `    ${screen.name}: '${relative('apps/web', screen.from).replaceAll('\\', '/')}',`),
      '  },',
    ]),
    '};',
  ]);
}

function formatImport(names: readonly string[], file: string, from: string): string {
  return `import { ${names.join(', ')} } from '${getImportPath(file, from)}';`;
}

function getImportPath(file: string, from: string): string {
  const path = relative(dirname(file), from).replaceAll('\\', '/');
  return path.startsWith('.') ? path : `./${path}`;
}

function toKebab(name: string): string {
  return name.replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => `-${letter}`).toLowerCase();
}

/** Writes only changed files, and by renaming, because two commands may start at the same time. */
function writeRegistry(file: string, lines: readonly string[]): void {
  const [path, text] = [join(root, file), `${HEADER}${lines.join('\n')}\n`];
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  const temporaryFile = join(dirname(path), `.${basename(path)}.${process.pid}`);
  writeFileSync(temporaryFile, text);
  renameSync(temporaryFile, path);
  process.stderr.write(`portal: wrote ${file}\n`);
}

writeEndpoints('packages/contract/src/all-endpoints.ts');
writeHandlers('apps/server/src/all-handlers.ts');
for (const [name, pages] of Object.entries(SCREEN_LISTS))
  writeScreens(`apps/web/src/app/screens/${name}-screens.ts`, `${name.toUpperCase()}_SCREENS`, pages);
writeScreenFiles('apps/web/src/app/screens/screen-files.ts');
