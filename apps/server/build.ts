/**
 * Bundles the server, and the sandbox beside it, into a few plain JavaScript files: they start in half the time of 1,000 TypeScript files
 * and need less memory (decision 40). Files that are read at run time, such as migrations, are copied.
 */
import { cp, readFile, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';

const repositoryRoot = join(import.meta.dirname, '../..');
const serverDist = join(import.meta.dirname, 'dist');
const sandboxDist = join(repositoryRoot, 'apps/sandbox/dist');
const embedded = join(repositoryRoot, 'packages/db/src/embedded');

/** Files that run in a thread or process of their own, by their source. All of a bundle's files lie in one folder. */
const programs: Readonly<Record<string, string>> = {
  [join(import.meta.dirname, 'src/main.ts')]: join(serverDist, 'main.js'),
  [join(embedded, 'pglite-worker.ts')]: join(serverDist, 'pglite-worker.js'),
  [join(embedded, 'fill-folder.ts')]: join(serverDist, 'fill-folder.js'),
  [join(repositoryRoot, 'apps/sandbox/src/main.ts')]: join(sandboxDist, 'main.js'),
};

/** Folders that the server reads at run time. */
const folders: Readonly<Record<string, string>> = {
  [join(repositoryRoot, 'packages/db/src/migrations')]: join(serverDist, 'migrations'),
  [join(import.meta.dirname, 'src/features/documents/fonts')]: join(serverDist, 'fonts'),
};

/** Native code, WebAssembly and font metrics are found beside their package's files. The driver is what the chaos scripts watch. */
const external = ['@node-rs/argon2', '@electric-sql/pglite', 'pdfkit', 'pg'];

const PROGRAM_URL = /new URL\('([^']+\.ts)', import\.meta\.url\)/g;

/** Points `new URL('./program.ts', import.meta.url)` at the program's bundle. */
const linkPrograms: Plugin = {
  name: 'link-programs',
  setup: (build) => {
    build.onLoad({ filter: /\.ts$/ }, async ({ path: file }) => {
      if (!file.startsWith(repositoryRoot) || file.includes('node_modules')) return undefined;
      const code = await readFile(file, 'utf8');
      if (!code.includes('import.meta.url')) return undefined;
      const contents = code.replace(PROGRAM_URL, (_url, source: string) => {
        const program = programs[resolve(dirname(file), source)];
        if (program === undefined) throw new Error(`${file} starts ${source}, which is not among the programs in build.ts`);
        const folder = program.startsWith(sandboxDist) ? '../../sandbox/dist' : '.';
        return `new URL('${folder}/${program.slice(dirname(program).length + 1)}', import.meta.url)`;
      });
      return { contents, loader: 'ts' };
    });
  },
};

/** Packages in the older module format call `require`, which a bundle in the newer one lacks. */
const REQUIRE =
  "import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);";

async function bundle(dist: string): Promise<void> {
  const entryPoints = Object.fromEntries(
    Object.entries(programs)
      .filter(([, program]) => dirname(program) === dist)
      .map(([source, program]) => [program.slice(dist.length + 1, -'.js'.length), source]),
  );
  await rm(dist, { recursive: true, force: true });
  await build({
    entryPoints,
    outdir: dist,
    bundle: true,
    splitting: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    external,
    plugins: [linkPrograms],
    banner: { js: REQUIRE },
    chunkNames: '[name]-[hash]',
    logLevel: 'warning',
  });
}

await Promise.all([bundle(serverDist), bundle(sandboxDist)]);
const isNeeded = (file: string): boolean => !file.endsWith('_snapshot.json');
for (const [source, target] of Object.entries(folders)) await cp(source, target, { recursive: true, filter: isNeeded });
