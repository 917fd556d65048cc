/** Builds the web app, then draws the landing page and splices it, with its styles, into dist/landing.html. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';

process.env['NODE_ENV'] = 'production';

const root = import.meta.dirname;
const dist = join(root, 'dist');
const configFile = join(root, 'vite.config.ts');

type LandingServer = { renderLanding: () => string; tokenStyles: () => string };

async function drawLanding(): Promise<LandingServer> {
  // Inside the app's folder, so that React is found from there.
  const folder = await mkdtemp(join(dist, '.landing-'));
  try {
    await build({
      configFile,
      logLevel: 'warn',
      build: {
        ssr: join(root, 'src/landing/landing-server.tsx'),
        outDir: folder,
        emptyOutDir: true,
        copyPublicDir: false,
        rollupOptions: { input: join(root, 'src/landing/landing-server.tsx') },
      },
    });
    const drawn = (await import(pathToFileURL(join(folder, 'landing-server.js')).href)) as LandingServer;
    const [markup, tokens] = [drawn.renderLanding(), drawn.tokenStyles()];
    return { renderLanding: () => markup, tokenStyles: () => tokens };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The page's style sheets become part of the page: one request less before the first paint. */
async function inlineStyles(html: string): Promise<string> {
  let result = html;
  for (const [link = '', href = ''] of html.matchAll(/<link rel="stylesheet"[^>]*href="\/portal\/([^"]+)"[^>]*>/g)) {
    const css = await readFile(join(dist, href), 'utf8');
    result = result.replace(link, () => `<style>${css.trim()}</style>`);
  }
  return result;
}

function splice(html: string, mark: string, content: string): string {
  if (!html.includes(mark)) throw new Error(`landing.html has lost its mark ${mark}`);
  return html.replace(mark, () => content);
}

await build({ configFile, logLevel: 'warn' });
const landing = await drawLanding();
const page = join(dist, 'landing.html');
let html = await inlineStyles(await readFile(page, 'utf8'));
html = splice(html, '<!--styles-->', `<style>${landing.tokenStyles()}</style>`);
html = splice(html, '<!--landing-->', landing.renderLanding());
await writeFile(page, html);
