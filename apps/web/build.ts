/**
 * Builds the web app, then prerenders the landing page for each partner, the partners' own pages and the login page, each with inlined
 * styles.
 */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';

process.env['NODE_ENV'] = 'production';

const root = import.meta.dirname;
const dist = join(root, 'dist');
const configFile = join(root, 'vite.config.ts');

type DrawnPage = { file: string; drawnFor: string; isDoor: boolean; markup: string };
type DrawnLogin = { file: string; markup: string };
type FirstPaint = { file: string; markup: string; screen?: string };
type DrawnServer = {
  drawPages: () => DrawnPage[];
  drawLogin: () => DrawnLogin[];
  drawFirstPaints: () => FirstPaint[];
  tokenStyles: () => string;
};
type Manifest = Readonly<Record<string, { file: string; name?: string; imports?: string[] }>>;

async function draw(): Promise<{ pages: DrawnPage[]; logins: DrawnLogin[]; paints: FirstPaint[]; tokens: string }> {
  // Inside the app's folder, so that React can be resolved.
  const folder = await mkdtemp(join(dist, '.drawn-'));
  try {
    await build({
      configFile,
      logLevel: 'warn',
      build: {
        ssr: join(root, 'src/app/drawn-server.ts'),
        outDir: folder,
        emptyOutDir: true,
        copyPublicDir: false,
        rollupOptions: { input: join(root, 'src/app/drawn-server.ts') },
      },
    });
    const drawn = (await import(pathToFileURL(join(folder, 'drawn-server.js')).href)) as DrawnServer;
    return { pages: drawn.drawPages(), logins: drawn.drawLogin(), paints: drawn.drawFirstPaints(), tokens: drawn.tokenStyles() };
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

/** Compresses the scripts and styles at build time, so that the server does not compress them for each visitor. */
async function packAssets(): Promise<void> {
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

/** The URLs of a chunk and all chunks it imports. */
function partsOf(manifest: Manifest, name: string): string[] {
  const found = new Set<string>();
  const add = (chunk: Manifest[string] | undefined): void => {
    if (chunk === undefined) throw new Error(`The build has no chunk ${name}, or lacks one of its imports`);
    if (found.has(`/portal/${chunk.file}`)) return;
    found.add(`/portal/${chunk.file}`);
    for (const key of chunk.imports ?? []) add(manifest[key]);
  };
  add(Object.values(manifest).find((chunk) => chunk.name === name));
  return [...found];
}

function splice(html: string, mark: string, content: string): string {
  if (!html.includes(mark)) throw new Error(`The page has no placeholder ${mark}`);
  return html.replace(mark, () => content);
}

await build({ configFile, logLevel: 'warn' });
const drawn = await draw();
const tokens = `<style>${drawn.tokens}</style>`;
// Inlined in the app's documents too: an external style sheet would delay the first paint.
const emptyApp = splice(await inlineStyles(await readFile(join(dist, 'index.html'), 'utf8')), '<!--styles-->', tokens);
const manifest = JSON.parse(await readFile(join(dist, '.vite/manifest.json'), 'utf8')) as Manifest;
for (const { file, markup, screen } of drawn.paints) {
  const parts = new Set(['draw-app', ...(screen === undefined ? [] : [screen])].flatMap((name) => partsOf(manifest, name)));
  await writeFile(join(dist, file), splice(splice(emptyApp, '%PARTS%', [...parts].join(' ')), '<!--page-->', markup));
}
await rm(join(dist, '.vite'), { recursive: true });
const emptyLanding = splice(await inlineStyles(await readFile(join(dist, 'landing.html'), 'utf8')), '<!--styles-->', tokens);
for (const { file, drawnFor, isDoor, markup } of drawn.pages) {
  const named = splice(splice(emptyLanding, '%DRAWN_FOR%', drawnFor), '%IS_DOOR%', isDoor ? '1' : '0');
  await mkdir(dirname(join(dist, file)), { recursive: true });
  await writeFile(join(dist, file), splice(named, '<!--landing-->', markup));
}
const emptyLogin = splice(await inlineStyles(await readFile(join(dist, 'login.html'), 'utf8')), '<!--styles-->', tokens);
for (const { file, markup } of drawn.logins) await writeFile(join(dist, file), splice(emptyLogin, '<!--page-->', markup));
await packAssets();
