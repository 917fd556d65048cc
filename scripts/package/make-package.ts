/** Creates the archive to deploy: everything except Node that a portal with real providers needs, without simulators. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Plugin } from 'esbuild';
import { create } from 'tar';
import { bundle, copyFolders, EXTERNAL_PACKAGES, repositoryRoot } from '../../apps/server/bundle.ts';
import { formatLicences, listWithDependencies, readManifest } from './installed-packages.ts';

export type BuiltPackage = { readonly file: string; readonly sha256: string };

/** The package's entry points, all in apps/server/dist. */
const ENTRY_POINTS = {
  main: join(repositoryRoot, 'apps/server/src/main.ts'),
  migrate: join(repositoryRoot, 'scripts/migrate.ts'),
  doctor: join(repositoryRoot, 'scripts/doctor.ts'),
  operator: join(repositoryRoot, 'scripts/operator.ts'),
  audit: join(repositoryRoot, 'scripts/audit.ts'),
};

/** Documents for the engineer who deploys it. */
const DOCUMENTS = ['docs/operations.md', 'docs/settings.md', 'docs/going-live.md', 'docs/keys.md'];

const EMBEDDED_ENGINE = '@electric-sql/pglite';
const SHIPPED_EXTERNALS = EXTERNAL_PACKAGES.filter((name) => name !== EMBEDDED_ENGINE);

/** Files in packages that are never loaded. */
const UNUSED_FILE = /(\.map|\.d\.[cm]?ts|\.md|\.standalone\.js|\.browser\.js|\.test\.[jt]s)$|\/\.[^/]+$/i;

const V8_FLAGS = '--max-semi-space-size=16 --heap-growing-percent=15';

/** Creates the archive in the folder, together with its SHA-256. The same sources and packages give the same bytes. */
export async function buildPackage(folder: string): Promise<BuiltPackage> {
  const { version } = readManifest(repositoryRoot, '.');
  const name = `portal-${version}`;
  const stagingFolder = mkdtempSync(join(tmpdir(), 'portal-package-'));
  try {
    await fillPackage(join(stagingFolder, name), version);
    mkdirSync(folder, { recursive: true });
    const file = join(folder, `${name}-${process.platform}-${process.arch}.tar.gz`);
    // Omits times, owners and the file system's order, which differ between builds.
    await create({ file, cwd: stagingFolder, gzip: true, portable: true, mtime: new Date(0) }, listFiles(stagingFolder, name));
    const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex');
    writeFileSync(`${file}.sha256`, `${sha256}  ${basename(file)}\n`);
    return { file, sha256 };
  } finally {
    rmSync(stagingFolder, { recursive: true, force: true });
  }
}

async function fillPackage(root: string, version: string): Promise<void> {
  const dist = join(root, 'apps/server/dist');
  await bundle(dist, ENTRY_POINTS, [withoutEmbeddedDatabase]);
  await copyFolders(dist);
  cpSync(join(repositoryRoot, 'apps/web/dist'), join(root, 'apps/web/dist'), { recursive: true });
  for (const { path } of listWithDependencies(repositoryRoot, SHIPPED_EXTERNALS)) copyInstalled(root, path);
  for (const document of DOCUMENTS) cpSync(join(repositoryRoot, document), join(root, document));
  if (existsSync(join(repositoryRoot, 'deploy')))
    cpSync(join(repositoryRoot, 'deploy'), join(root, 'deploy'), { recursive: true, filter: (file) => !file.includes('.test.') });
  writeFileSync(join(root, 'LICENCES.txt'), formatLicences(repositoryRoot, listWithDependencies(repositoryRoot, listProductionNames())));
  writeJson(join(root, 'release.json'), { version, commit: readCommit() });
  const run = (program: string, flags = ''): string => `node ${flags}apps/server/dist/${program}.js`;
  const commands = Object.keys(ENTRY_POINTS).filter((program) => program !== 'main');
  const scripts = { start: run('main', `${V8_FLAGS} `), ...Object.fromEntries(commands.map((program) => [program, run(program)])) };
  writeJson(join(root, 'package.json'), { name: 'portal', version, private: true, type: 'module', scripts });
}

/**
 * Real providers require PostgreSQL (decision 41), so the package doesn't contain a database engine. Other settings are rejected before
 * this is called.
 */
const withoutEmbeddedDatabase: Plugin = {
  name: 'without-embedded-database',
  setup: (build) => {
    build.onLoad({ filter: /[/\\]open-embedded\.ts$/ }, () => ({
      contents: "export const openEmbedded = () => { throw new Error('A package has no embedded database. Set DATABASE_URL.'); };",
      loader: 'ts',
    }));
  },
};

function copyInstalled(root: string, path: string): void {
  const source = join(repositoryRoot, path);
  const isUsed = (file: string): boolean => {
    const insideContributions = file.slice(source.length);
    return (
      !insideContributions.startsWith('/node_modules/') && !UNUSED_FILE.test(insideContributions) && insideContributions !== '/node_modules'
    );
  };
  cpSync(source, join(root, path), { recursive: true, filter: isUsed });
}

/** Lists the names of the bundled packages and run-time dependencies: the dependencies of every workspace in the package. */
function listProductionNames(): string[] {
  const workspaceFolders = ['apps/server', 'apps/web', ...readdirSync(join(repositoryRoot, 'packages')).map((name) => `packages/${name}`)];
  const names = workspaceFolders.flatMap((path) => Object.keys(readManifest(repositoryRoot, path).dependencies ?? {}));
  return [...new Set(names)].filter((name) => !name.startsWith('@portal/') && name !== EMBEDDED_ENGINE);
}

/** Returns the commit, with a plus sign if files differ from it. */
function readCommit(): string {
  const runGit = (...args: string[]): string => execFileSync('git', args, { cwd: repositoryRoot, encoding: 'utf8' }).trim();
  return `${runGit('rev-parse', 'HEAD')}${runGit('status', '--porcelain') === '' ? '' : '+'}`;
}

function writeJson(file: string, value: unknown): void {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}

/** Lists all files in alphabetical order, with modes that don't depend on this computer's mask. */
function listFiles(root: string, path: string): string[] {
  if (!statSync(join(root, path)).isDirectory()) {
    chmodSync(join(root, path), 0o644);
    return [path];
  }
  return readdirSync(join(root, path))
    .toSorted()
    .flatMap((name) => listFiles(root, `${path}/${name}`));
}
