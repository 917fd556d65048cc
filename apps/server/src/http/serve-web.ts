/**
 * Serves the built web app: its files, an HTML page for each known path, and the designed not-found page with status 404 for all other
 * paths.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import { findPage } from '@portal/contract/pages.ts';
import { AppError } from '@portal/domain/app-error.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Site } from '../app-deps.ts';
import { createPageRenderer, type RenderedPage } from './prerendered-pages.ts';
import { allowStyles, listStyleHashes } from './security-headers.ts';
import { sendProblem } from './send-errors.ts';
import { serveRobots } from './serve-robots.ts';
import { DEVICE_COOKIE } from './serve-contract.ts';
import { getSessionCookieName } from './session.ts';

const POLICY = 'content-security-policy';
const TEN_YEARS_SECONDS = 10 * 365 * 86_400;

/** `distDir` is the web app's build output. Without it (API tests) pages return a placeholder. */
export async function serveWeb(app: FastifyInstance, site: Site, distDir: string): Promise<void> {
  if (existsSync(distDir)) {
    await app.register(async (files) => {
      files.addHook('onRoute', (route) => void (route.config = { ...route.config, isFile: true }));
      await files.register(fastifyStatic, {
        root: distDir,
        prefix: '/portal/',
        index: false,
        wildcard: false,
        // The web app's build writes compressed files alongside the originals.
        preCompressed: true,
        setHeaders: (reply, path) => {
          if (path.endsWith('.html'))
            reply.header(POLICY, allowStyles(String(reply.getHeader(POLICY)), listStyleHashes(readFileSync(path, 'utf8'))));
          reply.header('cache-control', path.includes(`${join('dist', 'assets')}`) ? 'public, max-age=31536000, immutable' : 'no-cache');
        },
      });
    });
  }
  const renderPage = createPageRenderer(distDir, site);
  const sessionCookie = getSessionCookieName(site.publicUrl);
  serveRobots(app, site);
  app.get('/', (_request, reply) => reply.redirect('/portal'));
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0]?.replace(/^\/portal/, '') ?? '';
    const wantsPage = request.method === 'GET' && (request.headers.accept ?? '').includes('text/html');
    if (request.method === 'GET' && (path === '' || path === '/')) return reply.redirect('/portal/v2/instant-vat');
    const isBelow = isBelowPortal(request.url);
    const foundPage = isBelow ? findPage(path) : undefined;
    const page = foundPage?.onlyInDevelopment === true && !site.showsDevelopmentPages ? undefined : foundPage;
    if (wantsPage && !isBelow) return reply.redirect(toPortalUrl(request.url));
    if (!page && !wantsPage) {
      return sendProblem(new AppError('notFound', 'request.not_found', 'Page not found.'), request, reply);
    }
    const { cookies, url } = request;
    return sendPage(
      request,
      reply,
      renderPage({ page, url, cookies, hasSession: cookies[sessionCookie] !== undefined }),
      page ? 200 : 404,
      site,
    );
  });
}

function isBelowPortal(url: string): boolean {
  return /^\/portal(?:[/?]|$)/.test(url);
}

/** The app has pages only below /portal, so other paths redirect there. `/dashboard` is the old path of /home. */
function toPortalUrl(url: string): string {
  return `/portal${url.replace(/^\/dashboard(?=[/?]|$)\/*/, '/home')}`;
}

function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { html, styleHashes }: RenderedPage,
  status: number,
  site: Site,
): FastifyReply {
  // HMRC requires an id that identifies a device throughout its lifetime (Gov-Client-Device-ID, docs/reference/hmrc.md section 9).
  if (request.cookies[DEVICE_COOKIE] === undefined) {
    reply.setCookie(DEVICE_COOKIE, randomUUID(), {
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      secure: site.publicUrl.startsWith('https:'),
      maxAge: TEN_YEARS_SECONDS,
    });
  }
  return reply
    .status(status)
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header(POLICY, allowStyles(String(reply.getHeader(POLICY)), styleHashes))
    .send(html);
}
