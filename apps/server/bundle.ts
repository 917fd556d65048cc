/**
 * Bundles the server and the sandbox into a few plain JavaScript files (decision 40), for `npm start` (build.ts) and for `npm run package`.
 */
import { cp, readFile, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';

export const repositoryRoot = join(import.meta.dirname, '../..');
export const serverDist = join(import.meta.dirname, 'dist');
export const sandboxDist = join(repositoryRoot, 'apps/sandbox/dist');
const embedded = join(repositoryRoot, 'packages/db/src/embedded');

/** Maps each source file that runs in its own thread or process to its bundle. All files of a bundle are in one folder. */
export const BUNDLED_PROGRAMS: Readonly<Record<string, string>> = {
  [join(import.meta.dirname, 'src/main.ts')]: join(serverDist, 'main.js'),
  [join(embedded, 'pglite-worker.ts')]: join(serverDist, 'pglite-worker.js'),
  [join(embedded, 'fill-folder.ts')]: join(serverDist, 'fill-folder.js'),
  [join(repositoryRoot, 'apps/sandbox/src/main.ts')]: join(sandboxDist, 'main.js'),
};

/** Folders that the server reads at run time, with their names next to the bundle. */
const COPIED_FOLDERS: Readonly<Record<string, string>> = {
  [join(repositoryRoot, 'packages/db/src/migrations')]: 'migrations',
  [join(import.meta.dirname, 'src/features/documents/fonts')]: 'fonts',
};

/**
 * Native code, WebAssembly and font metrics are loaded from their package's folder. `pg` stays external because the crash tests observe it.
 */
export const EXTERNAL_PACKAGES = ['@napi-rs/image', '@node-rs/argon2', '@electric-sql/pglite', 'pdfkit', 'pg'];

const PROGRAM_URL = /new URL\('([^']+\.ts)', import\.meta\.url\)/g;

/** Points `new URL('./program.ts', import.meta.url)` at the program's bundle. */
const linkEntryPoints: Plugin = {
  name: 'link-programs',
  setup: (build) => {
    build.onLoad({ filter: /\.ts$/ }, async ({ path: file }) => {
      if (!file.startsWith(repositoryRoot) || file.includes('node_modules')) return undefined;
      const code = await readFile(file, 'utf8');
      if (!code.includes('import.meta.url')) return undefined;
      const contents = code.replace(PROGRAM_URL, (_url, source: string) => {
        const program = BUNDLED_PROGRAMS[resolve(dirname(file), source)];
        if (program === undefined) throw new Error(`${file} starts ${source}, which is not among the programs in bundle.ts`);
        const folder = program.startsWith(sandboxDist) ? '../../sandbox/dist' : '.';
        return `new URL('${folder}/${program.slice(dirname(program).length + 1)}', import.meta.url)`;
      });
      return { contents, loader: 'ts' };
    });
  },
};

/** CommonJS packages call `require`, which an ES module bundle lacks. */
const REQUIRE_BANNER =
  "import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);";

/** Without this check, an older Node would fail somewhere inside the bundle, at a missing function. */
export const NODE_CHECK =
  "{ const [major, minor] = process.versions.node.split('.').map(Number); if (major < 24 || (major === 24 && minor < 15)) { process.stderr.write(`This needs Node 24.15 or later, and was started with ${process.versions.node}.\\n`); process.exit(1); } }";

/** Bundles the sources, keyed by bundle name, into the folder. Returns the sources that went into each file. */
export async function bundle(
  dist: string,
  entryPoints: Readonly<Record<string, string>>,
  plugins: readonly Plugin[] = [],
): Promise<Metafile> {
  await rm(dist, { recursive: true, force: true });
  const { metafile } = await build({
    entryPoints: { ...entryPoints },
    outdir: dist,
    absWorkingDir: repositoryRoot,
    bundle: true,
    splitting: true,
    metafile: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    external: EXTERNAL_PACKAGES,
    plugins: [...plugins, linkEntryPoints],
    banner: { js: `${REQUIRE_BANNER}${NODE_CHECK}` },
    chunkNames: '[name]-[hash]',
    logLevel: 'warning',
  });
  return metafile;
}

/** Copies the folders that the server reads at run time to its bundle. */
export async function copyFolders(dist: string): Promise<void> {
  const isNeeded = (file: string): boolean => !file.endsWith('_snapshot.json');
  for (const [source, name] of Object.entries(COPIED_FOLDERS)) await cp(source, join(dist, name), { recursive: true, filter: isNeeded });
}
