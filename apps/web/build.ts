/**
 * Builds the web app, then prerenders the login page, the landing page for each partner and the partners' own pages. Inlines each page's
 * style sheets.
 */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';
import { SCREEN_FILES } from './src/app/screens/screen-files.ts';
import { LANDING_DOCUMENTS } from './vite.config.ts';

process.env['NODE_ENV'] = 'production';

const root = import.meta.dirname;
const dist = join(root, 'dist');
const configFile = join(root, 'vite.config.ts');

type LandingPage = { file: string; prerenderedFor: string; document: string; markup: string };
type RenderedLoginPage = { file: string; markup: string };
type FirstPaint = { file: string; markup: string; screen?: string };
type PrerenderModule = {
  renderLandingPages: () => LandingPage[];
  renderLoginPages: () => RenderedLoginPage[];
  renderFirstPaints: () => FirstPaint[];
  tokenStyles: () => string;
};
type Manifest = Readonly<Record<string, { file: string; name?: string; imports?: string[]; css?: string[] }>>;

async function prerender(): Promise<{ pages: LandingPage[]; logins: RenderedLoginPage[]; paints: FirstPaint[]; tokens: string }> {
  // Inside the app's folder, so that React can be resolved.
  const folder = await mkdtemp(join(dist, '.drawn-'));
  try {
    await build({
      configFile,
      logLevel: 'warn',
      build: {
        ssr: join(root, 'src/app/prerender.ts'),
        outDir: folder,
        emptyOutDir: true,
        copyPublicDir: false,
        rollupOptions: { input: join(root, 'src/app/prerender.ts') },
      },
    });
    const prerendered = (await import(pathToFileURL(join(folder, 'prerender.js')).href)) as PrerenderModule;
    return {
      pages: prerendered.renderLandingPages(),
      logins: prerendered.renderLoginPages(),
      paints: prerendered.renderFirstPaints(),
      tokens: prerendered.tokenStyles(),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Inlines the page's style sheets, which saves a request before the first paint. */
async function inlineStyles(html: string): Promise<string> {
  let result = html;
  for (const [link = '', href = ''] of html.matchAll(/<link rel="stylesheet"[^>]*href="\/portal\/([^"]+)"[^>]*>/g)) {
    const css = await readFile(join(dist, href), 'utf8');
    result = result.replace(link, () => `<style>${css.trim()}</style>`);
  }
  return result;
}

/** Compresses scripts and styles at build time, so that the server doesn't have to compress them for each visitor. */
async function compressAssets(): Promise<void> {
  const folder = join(dist, 'assets');
  const names = (await readdir(folder)).filter((name) => /\.(js|css)$/.test(name));
  const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
  await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const content = await readFile(path);
      await writeFile(`${path}.br`, await promisify(brotliCompress)(content, brotli));
      await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: 9 }));
    }),
  );
}

/**
 * Inlines the style sheets of chunks. Adds a disabled link for each, because otherwise the script loader would wait for every style sheet
 * of a chunk that has no link in the document. `inlinedStyles` is the built document, whose own style sheets are already inlined.
 */
async function inlineChunkStyles(html: string, files: ReadonlySet<string>, inlinedStyles: string): Promise<string> {
  const missingFiles = [...files].filter((file) => !inlinedStyles.includes(`/portal/${file}"`));
  const css = await Promise.all(missingFiles.map((file) => readFile(join(dist, file), 'utf8')));
  const links = [...files].map((file) => `<link rel="stylesheet" href="/portal/${file}" disabled>`).join('');
  return html.replace('</head>', () => `<style>${css.join('').trim()}</style>${links}</head>`);
}

/** Returns the style sheets of a chunk and of all chunks that it imports, imported ones first. */
function listChunkStyles(manifest: Manifest, name: string): string[] {
  const styles = new Set<string>();
  const seenModules = new Set<unknown>();
  const add = (chunk: Manifest[string] | undefined): void => {
    if (chunk === undefined || seenModules.has(chunk)) return;
    seenModules.add(chunk);
    for (const key of chunk.imports ?? []) add(manifest[key]);
    for (const file of chunk.css ?? []) styles.add(file);
  };
  add(findChunk(manifest, name));
  return [...styles];
}

function findChunk(manifest: Manifest, name: string): Manifest[string] | undefined {
  return Object.values(manifest).find((chunk) => chunk.name === name);
}

/** Returns the URLs of a chunk and of all chunks that it imports. */
function listChunkUrls(manifest: Manifest, start: Manifest[string] | undefined): string[] {
  const foundStyles = new Set<string>();
  const add = (chunk: Manifest[string] | undefined): void => {
    if (chunk === undefined) throw new Error('The build lacks the chunk of a screen, or one that it imports');
    if (foundStyles.has(`/portal/${chunk.file}`)) return;
    foundStyles.add(`/portal/${chunk.file}`);
    for (const key of chunk.imports ?? []) add(manifest[key]);
  };
  add(start);
  return [...foundStyles];
}

function fillPlaceholder(html: string, placeholder: string, content: string): string {
  if (!html.includes(placeholder)) throw new Error(`The page has no placeholder ${placeholder}`);
  return html.replace(placeholder, () => content);
}

await build({ configFile, logLevel: 'warn' });
const prerendered = await prerender();
const tokens = `<style>${prerendered.tokens}</style>`;
// Inline the styles of the app's documents too, because an external style sheet would delay the first paint.
const builtApp = await readFile(join(dist, 'index.html'), 'utf8');
const emptyApp = fillPlaceholder(await inlineStyles(builtApp), '<!--styles-->', tokens);
const manifest = JSON.parse(await readFile(join(dist, '.vite/manifest.json'), 'utf8')) as Manifest;
const appScripts = listChunkUrls(manifest, findChunk(manifest, 'render-app'));
// The server lists the requested page's scripts in its document (apps/server/src/http/prerendered-pages.ts).
const listScripts = (file: string): string[] =>
  // In the manifest, a screen that other chunks also import is listed only under its own name.
  listChunkUrls(manifest, manifest[file] ?? findChunk(manifest, basename(file, '.tsx'))).filter((url) => !appScripts.includes(url));
const pageScripts = Object.entries(SCREEN_FILES).flatMap(([list, files]) =>
  // The list is needed before the screen, because it imports the screen.
  Object.entries(files).map(([name, file]) => [name, [...new Set([...listScripts(`src/app/screens/${list}.ts`), ...listScripts(file)])]]),
);
await writeFile(join(dist, 'page-scripts.json'), JSON.stringify(Object.fromEntries(pageScripts)));
for (const { file, markup, screen } of prerendered.paints) {
  const chunks = ['render-app', ...(screen === undefined ? [] : [screen])];
  const styles = new Set(chunks.flatMap((name) => listChunkStyles(manifest, name)));
  const filledApp = fillPlaceholder(fillPlaceholder(emptyApp, '%PARTS%', appScripts.join(' ')), '<!--page-->', markup);
  await writeFile(join(dist, file), await inlineChunkStyles(filledApp, styles, builtApp));
}
await rm(join(dist, '.vite'), { recursive: true });
const emptyLandings = new Map<string, string>();
for (const name of LANDING_DOCUMENTS) {
  const built = await inlineStyles(await readFile(join(dist, `${name}.html`), 'utf8'));
  emptyLandings.set(name, fillPlaceholder(built, '<!--styles-->', tokens));
  await rm(join(dist, `${name}.html`));
}
for (const { file, prerenderedFor, document, markup } of prerendered.pages) {
  const filledPage = fillPlaceholder(emptyLandings.get(document) ?? '', '%PRERENDERED_FOR%', prerenderedFor);
  await mkdir(dirname(join(dist, file)), { recursive: true });
  await writeFile(join(dist, file), fillPlaceholder(filledPage, '<!--landing-->', markup));
}
const emptyLogin = fillPlaceholder(await inlineStyles(await readFile(join(dist, 'login.html'), 'utf8')), '<!--styles-->', tokens);
for (const { file, markup } of prerendered.logins) await writeFile(join(dist, file), fillPlaceholder(emptyLogin, '<!--page-->', markup));
await compressAssets();
