/** How the web app is built and served in development. `build.ts` runs it and then prerenders the landing page. */
import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { tokenStyles } from './src/core/token-styles.ts';

const FONT = /work-sans-latin-wght-normal.*\.woff2$/;

/** Preloads the one font file, whose hashed name only the bundle knows, so that text never changes its width after it is drawn. */
function preloadFont(): Plugin {
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

/** What the server does to the pages it serves, for the development server: what the browser must know. */
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
        .replaceAll('<!--styles-->', `<style>${tokenStyles()}</style>`)
        .replaceAll(/ {4}<(?:meta name="description"|link rel="canonical").*\n/g, ''),
  };
}

/**
 * Tells zod from its first line on not to make code of texts: our Content-Security-Policy forbids it, and even zod's trying is reported as a violation.
 * Its own switch comes too late here, because the contract's shapes are made while the scripts load.
 */
function keepZodFromEval(): Plugin {
  const [initial, wanted] = ['__zod_globalConfig = {})', '__zod_globalConfig = { jitless: true })'];
  return {
    name: 'keep-zod-from-eval',
    transform: (code, id) => {
      if (!id.includes('zod/v4/core/core.js')) return undefined;
      if (!code.includes(initial)) throw new Error('zod begins in another way than before: see keepZodFromEval');
      return { code: code.replace(initial, wanted), map: null };
    },
  };
}

/** The login page is a document of its own, which the development server does not draw before the browser does. */
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

export default defineConfig({
  root: import.meta.dirname,
  base: '/portal/',
  plugins: [react(), preloadFont(), fillSettings(), keepZodFromEval(), serveLoginPage()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // build.ts reads from it which scripts a document needs.
    manifest: true,
    assetsDir: 'assets',
    // Fonts and icons stay files: inlined they would be loaded with every page, cached with none.
    assetsInlineLimit: 0,
    rollupOptions: {
      input: {
        index: resolve(import.meta.dirname, 'index.html'),
        landing: resolve(import.meta.dirname, 'landing.html'),
        login: resolve(import.meta.dirname, 'login.html'),
      },
      // Few files instead of eighty: a browser that speaks HTTP/1.1 asks for six at a time. None mixes what the prerendered pages need with what they do without.
      output: {
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules\/(?:react|react-dom|scheduler)\// },
            { name: 'zod', test: /node_modules\/zod\// },
            // The one file of React Query that the login page's calls go through stays out of its chunk.
            { name: 'forms', test: /node_modules\/react-hook-form\// },
            { name: 'router', test: /node_modules\/react-router/ },
            { name: 'query', test: /node_modules\/@tanstack\/(?:react-)?query(?!.*queryOptions)/ },
            {
              name: 'mui',
              test: /node_modules\/@(?:mui\/(?:material|system|utils|styled-engine|private-theming)|emotion)\//,
              minShareCount: 3,
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
          // A page and a call can have one address: /v2/auth/second-factor.
          bypass: ({ url = '', headers }) =>
            headers.accept?.includes('text/html') && !/_signup|\/(provider|callback)\//.test(url) ? '/portal/index.html' : undefined,
        },
    },
  },
});
