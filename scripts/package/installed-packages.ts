/** Packages from the registry, as installed here. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export type InstalledPackage = {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  /** The path relative to the repository, for example node_modules/pg or node_modules/a/node_modules/b. */
  readonly path: string;
};

type Manifest = {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
};

const LICENCE_FILE = /^(licen[cs]e|copying|notice)/i;

export function readManifest(root: string, path: string): Manifest {
  return JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8')) as Manifest;
}

/**
 * Lists the packages with these names and all their dependencies, by path. Packages for other systems aren't installed, so they are
 * omitted.
 */
export function listWithDependencies(root: string, names: readonly string[]): InstalledPackage[] {
  const foundPackages = new Map<string, InstalledPackage>();
  const add = (name: string, neededBy: string): void => {
    const path = findPath(root, name, neededBy);
    if (path === undefined || foundPackages.has(path)) return;
    const { version, license = 'see its files', ...manifest } = readManifest(root, path);
    foundPackages.set(path, { name, version, licence: license, path });
    // An installed peer dependency is needed at run time.
    const neededPackages = { ...manifest.dependencies, ...manifest.optionalDependencies, ...manifest.peerDependencies };
    for (const packageName of Object.keys(neededPackages)) if (!packageName.startsWith('@portal/')) add(packageName, path);
  };
  for (const name of names) add(name, '');
  return [...foundPackages.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** Finds the nearest node_modules that contains the package, from the dependent package upwards, as Node resolves it. */
function findPath(root: string, name: string, neededBy: string): string | undefined {
  for (let folder = neededBy; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (existsSync(join(root, path, 'package.json'))) return path;
    if (folder === '') return undefined;
  }
}

/** Formats the licences of all packages, each with its full text, as the licences require. */
export function formatLicences(root: string, packages: readonly InstalledPackage[]): string {
  const sections = packages.map(({ name, version, licence, path }) => {
    const files = readdirSync(join(root, path)).filter((file) => LICENCE_FILE.test(file));
    const licenceTexts = files.toSorted().map((file) => readFileSync(join(root, path, file), 'utf8').trim());
    return [`${name} ${version} (${licence})`, ...licenceTexts].join('\n\n');
  });
  return `This product contains the following packages.\n\n${sections.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}
