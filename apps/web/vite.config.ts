/** Configuration of the development server and the build. `build.ts` runs the build and then prerenders the pages. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { renderTokenStyles } from './src/core/token-styles.ts';

const FONT = /work-sans-latin-wght-normal.*\.woff2$/;

/** Preloads the font, so that the text width doesn't change after rendering. Only the bundle knows the file's hashed name. */
function createFontPreloadPlugin(): Plugin {
  return {
    name: 'preload-font',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((name) => FONT.test(name))
          .map((name) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/portal/${name}`, crossorigin: '' },
            injectTo: 'head-prepend' as const,
          })),
    },
  };
}

/** Fills in each page's settings in development, as the server does in production. */
function fillSettings(): Plugin {
  return {
    name: 'fill-settings',
    apply: 'serve',
    transformIndexHtml: (html) =>
      html
        .replaceAll('%PORTAL_BRAND%', process.env['BRAND_NAME'] ?? 'Tidewater')
        .replaceAll('%PORTAL_DEVELOPMENT%', '1')
        .replaceAll('%PORTAL_SANDBOX%', process.env['PORTAL_SANDBOX'] ?? '')
        .replaceAll('%PAGE_TITLE%', process.env['BRAND_NAME'] ?? 'Tidewater')
        .replaceAll('%PAGE_ROBOTS%', 'noindex')
        .replaceAll(/%(?:PARTS|PAGE_SCRIPTS)%/g, '')
        .replaceAll('<!--styles-->', `<style>${renderTokenStyles()}</style>`)
        .replaceAll(/ {4}<(?:meta name="description"|link rel="canonical").*\n/g, ''),
  };
}

/**
 * Configures zod, before it loads, not to generate code with eval, because our Content-Security-Policy forbids that and reports even zod's
 * attempt as a violation. Setting zod's own option would be too late, because the contract's schemas are created while the scripts load.
 */
function createZodEvalPlugin(): Plugin {
  const [initial, replacement] = ['__zod_globalConfig = {})', '__zod_globalConfig = { jitless: true })'];
  return {
    name: 'keep-zod-from-eval',
    transform: (code, id) => {
      if (!id.includes('zod/v4/core/core.js')) return undefined;
      if (!code.includes(initial)) throw new Error('zod begins in another way than before: see keepZodFromEval');
      return { code: code.replace(initial, replacement), map: null };
    },
  };
}

/** Leaves out the endpoints' summaries, which are the longest texts in the contract and appear only in the API documentation. */
function omitSummaries(): Plugin {
  return {
    name: 'omit-summaries',
    enforce: 'pre',
    apply: 'build',
    transform: (code, id) => {
      if (!id.includes('/packages/contract/src/')) return undefined;
      return { code: code.replaceAll(/^ +summary:\s+(?:'(?:[^'\\\n]|\\.)*'|`[^`$]*`),$/gm, ''), map: null };
    },
  };
}

/** Serves the login page in development. It is a separate document, which the development server doesn't prerender. */
function serveLoginPage(): Plugin {
  return {
    name: 'serve-login-page',
    configureServer: (server) => {
      server.middlewares.use((request, _response, next) => {
        const isPage = request.method === 'GET' && request.headers.accept?.includes('text/html') === true;
        if (isPage && /^\/portal\/(?:v2\/auth\/)?login(?:\?|$)/.test(request.url ?? '')) request.url = '/portal/login.html';
        next();
      });
    },
  };
}

/** Style sheets of the basic components that other components are built from. */
const PRIMITIVES: ReadonlySet<string> = new Set([
  'button',
  'choice',
  'divider',
  'hidden-text',
  'icon',
  'input',
  'layout',
  'spinner',
  'table',
  'text',
  'text-link',
  'tone',
]);

/**
 * Puts the style sheets of `ui/` into cascade layers (declared in core/token-styles.ts), so that a component's own class always overrides
 * the classes of the components it uses, in whatever order the chunks load.
 */
function createStyleLayerPlugin(): Plugin {
  return {
    name: 'layer-styles',
    enforce: 'pre',
    transform: (code, id) => {
      const [, name] = /\/src\/ui\/([\w-]+)\.module\.css$/.exec(id) ?? [];
      if (name === undefined) return undefined;
      return { code: `@layer ${PRIMITIVES.has(name) ? 'primitives' : 'components'} {\n${code}\n}`, map: null };
    },
  };
}

let chunkImports: ReadonlyMap<string, readonly string[]> = new Map();

/** Records which chunks each chunk imports, for `listMissing`. */
function createImportRecorderPlugin(): Plugin {
  return {
    name: 'remember-imports',
    generateBundle: {
      order: 'pre',
      handler: (_options, bundle) => {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        chunkImports = new Map(chunks.map(({ fileName, imports }) => [fileName, imports]));
      },
    },
  };
}

/** The chunks that import screens: the app's own, and one for each list in src/app/screens. */
const SCREENS_CHUNK = /\/(?:render-app|(?:trader|practice|account|general|operator)-screens)-[^/]*\.js$/;

/**
 * Returns the scripts to preload for a dynamic import, minus those the importing chunk has already loaded. Leaves out the screens' scripts,
 * because their lists would be a tenth of what the dashboards load. The document names the scripts of its own page (build.ts), and pointing
 * at a link loads those of the next (preload-screens.ts). Vite adds the style sheets, without which a screen must not be shown.
 */
function listMissing(importer: string, files: readonly string[]): string[] {
  if (SCREENS_CHUNK.test(importer)) return [];
  const loaded = new Set<string>();
  const add = (chunk: string): void => {
    if (loaded.has(chunk)) return;
    loaded.add(chunk);
    for (const importedChunk of chunkImports.get(chunk) ?? []) add(importedChunk);
  };
  add(importer);
  return files.filter((file) => !loaded.has(file));
}

/** The landing pages use different scripts, so each has its own document, which loads only what it needs. */
export const LANDING_DOCUMENTS = ['landing', 'partner-page', 'open-tax'] as const;

/** Creates the other landing documents from landing.html. */
function createLandingDocuments(): Plugin {
  const resolvePage = (name: string): string => resolve(import.meta.dirname, `${name}.html`);
  return {
    name: 'create-landing-documents',
    resolveId: (id) => (LANDING_DOCUMENTS.some((name) => id === resolvePage(name)) ? id : undefined),
    load: (id) => {
      const name = LANDING_DOCUMENTS.find((candidate) => id === resolvePage(candidate));
      return name === undefined ? undefined : readFileSync(resolvePage('landing'), 'utf8').replace('landing-main.tsx', `${name}-main.tsx`);
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  base: '/portal/',
  plugins: [
    createImportRecorderPlugin(),
    createStyleLayerPlugin(),
    omitSummaries(),
    react(),
    createFontPreloadPlugin(),
    fillSettings(),
    createZodEvalPlugin(),
    serveLoginPage(),
    createLandingDocuments(),
  ],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // build.ts reads the manifest to find a document's scripts.
    manifest: true,
    assetsDir: 'assets',
    // Don't inline fonts and icons, because every page would then load them again instead of using the cache.
    assetsInlineLimit: 0,
    modulePreload: {
      // Safari before 17 doesn’t preload modules. It loads each script on import, which is merely slower.
      polyfill: false,
      resolveDependencies: (_file, files, { hostId, hostType }) => (hostType === 'js' ? listMissing(hostId, files) : files),
    },
    rollupOptions: {
      input: {
        index: resolve(import.meta.dirname, 'index.html'),
        ...Object.fromEntries(LANDING_DOCUMENTS.map((name) => [name, resolve(import.meta.dirname, `${name}.html`)])),
        login: resolve(import.meta.dirname, 'login.html'),
      },
      // Bundle about eighty files into a few, because an HTTP/1.1 browser makes only six requests at a time. No chunk mixes code that the
      // prerendered pages need with other code.
      output: {
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules\/(?:react|react-dom|scheduler|clsx)\// },
            { name: 'zod', test: /node_modules\/zod\// },
            // The login page needs only one file of React Query, so exclude that file, and also parts that few screens use.
            { name: 'forms', test: /node_modules\/react-hook-form\// },
            { name: 'router', test: /node_modules\/react-router/ },
            {
              name: 'query',
              test: /node_modules\/@tanstack\/(?:react-)?query(?!.*(?:queryOptions|useQueries|queriesObserver|[iI]nfiniteQuery(?:Observer)?\.js))/,
            },
          ],
        },
      },
    },
  },
  server: {
    port: 4173,
    strictPort: true,
    proxy: {
      '^/portal/(v2/(check-login|login|sign-up|logout|security)|v2/auth/(use-link|second-factor|passkey|provider|callback)|instant-vat/|operator/|company-|dashboard-company-name|user-companies|password-reset|phone-number|send-|resend-|chat-visitor-|[a-z_]+_signup)':
        {
          target: process.env['PORTAL_API'] ?? 'http://localhost:3000',
          // A page and an API endpoint can have the same URL, for example /v2/auth/second-factor.
          bypass: ({ url = '', headers }) =>
            headers.accept?.includes('text/html') && !/_signup|\/(provider|callback)\//.test(url) ? '/portal/index.html' : undefined,
        },
    },
  },
});
