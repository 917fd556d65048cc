/**
 * Checks CSS Modules and the components that import them: every class that a component names must exist in its style sheet, and every class
 * in a style sheet must be used. TypeScript can't check either, because it types a style sheet as a record of strings.
 */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { repositoryRoot } from '../testing/run-command.ts';

const IMPORT_PATTERN = /import (\w+) from '(\.[^']+\.module\.css)';/g;

type ClassUse = { readonly file: string; readonly name: string };
type Sheet = { readonly used: Set<string>; isUsedDynamically: boolean };

export function checkCssModules(root: string = repositoryRoot): string[] {
  const sources = globSync('apps/web/src/**/*.{ts,tsx}', { cwd: root });
  const sheets = new Map<string, Sheet>(
    globSync('apps/web/src/**/*.module.css', { cwd: root }).map((file) => [file, { used: new Set(), isUsedDynamically: false }]),
  );
  const problems: string[] = [];
  for (const file of sources) {
    const code = readFileSync(join(root, file), 'utf8');
    for (const [, variable = '', path = ''] of code.matchAll(IMPORT_PATTERN)) {
      const sheetFile = relative(root, join(root, dirname(file), path));
      const sheet = sheets.get(sheetFile);
      if (sheet === undefined) problems.push(`${file}: ${path} doesn't exist`);
      else problems.push(...collectUses(code, variable, sheet, readClasses(root, sheetFile), { file, name: sheetFile }));
    }
  }
  for (const [file, { used, isUsedDynamically }] of sheets) {
    if (isUsedDynamically) continue;
    for (const name of readClasses(root, file)) if (!used.has(name)) problems.push(`${file}: no component uses .${name}`);
  }
  return problems;
}

/** A class chosen by a value (`styles[tone]`) can't be traced, so all classes in the sheet count as used. */
function collectUses(
  code: string,
  variable: string,
  sheet: Sheet,
  classes: ReadonlySet<string>,
  { file, name: sheetFile }: ClassUse,
): string[] {
  if (new RegExp(`(?<![-\\w])${variable}\\[`).test(code)) sheet.isUsedDynamically = true;
  const classNames = [...code.matchAll(new RegExp(`(?<![-\\w])${variable}\\.(\\w+)`, 'g'))].map(([, name = '']) => name);
  for (const name of classNames) sheet.used.add(name);
  return classNames.filter((name) => !classes.has(name)).map((name) => `${file}: ${sheetFile} has no class .${name}`);
}

function readClasses(root: string, file: string): ReadonlySet<string> {
  const css = readFileSync(join(root, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|url\([^)]*\)|"[^"]*"|'[^']*'/g, '');
  return new Set([...css.matchAll(/\.([A-Za-z][\w-]*)/g)].map(([, name = '']) => name));
}
