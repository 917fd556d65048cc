/** Serves the built web app: its files, a page for each path that is one, and the designed not-found page with status 404 for all others. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import { findPage } from '@portal/contract/pages.ts';
import { AppError } from '@portal/domain/app-error.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Site } from '../app-deps.ts';
import { readPages } from './drawn-pages.ts';
import { sendProblem } from './send-errors.ts';
import { serveRobots } from './serve-robots.ts';
import { DEVICE_COOKIE } from './serve-contract.ts';
import { sessionCookieName } from './session.ts';

const TEN_YEARS_SECONDS = 10 * 365 * 86_400;

/** `distDir`: what the web app's build made. Without a build (API tests) every page answers 404. */
export async function serveWeb(app: FastifyInstance, site: Site, distDir: string): Promise<void> {
  if (existsSync(distDir)) {
    await app.register(fastifyStatic, {
      root: distDir,
      prefix: '/portal/',
      index: false,
      wildcard: false,
      // The web app's build packs its scripts beside themselves.
      preCompressed: true,
      setHeaders: (reply, path) => {
        reply.header('cache-control', path.includes(`${join('dist', 'assets')}`) ? 'public, max-age=31536000, immutable' : 'no-cache');
      },
    });
  }
  const draw = readPages(distDir, site);
  const sessionCookie = sessionCookieName(site.publicUrl);
  serveRobots(app, site);
  app.get('/', (_request, reply) => reply.redirect('/portal'));
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0]?.replace(/^\/portal/, '') ?? '';
    const wantsPage = request.method === 'GET' && (request.headers.accept ?? '').includes('text/html');
    if (request.method === 'GET' && (path === '' || path === '/')) return reply.redirect('/portal/v2/instant-vat');
    const isBelow = isBelowPortal(request.url);
    const found = isBelow ? findPage(path) : undefined;
    const page = found?.onlyInDevelopment === true && !site.showsDevelopmentPages ? undefined : found;
    if (wantsPage && !isBelow) return reply.redirect(portalAddress(request.url));
    if (!page && !wantsPage) {
      return sendProblem(new AppError('notFound', 'request.not_found', 'There is nothing at this address.'), request, reply);
    }
    const { cookies, url } = request;
    return sendPage(request, reply, draw({ page, url, cookies, hasSession: cookies[sessionCookie] !== undefined }), page ? 200 : 404, site);
  });
}

function isBelowPortal(url: string): boolean {
  return /^\/portal(?:[/?]|$)/.test(url);
}

/** The app draws pages below /portal only, so that a page asked for without it is asked for again. `/dashboard` is the host's name for what /home leads to. */
function portalAddress(url: string): string {
  return `/portal${url.replace(/^\/dashboard(?=[/?]|$)\/*/, '/home')}`;
}

function sendPage(request: FastifyRequest, reply: FastifyReply, page: string, status: number, site: Site): FastifyReply {
  // HMRC wants to know a device again for as long as it lives (FACTS section 9: Gov-Client-Device-ID).
  if (request.cookies[DEVICE_COOKIE] === undefined) {
    reply.setCookie(DEVICE_COOKIE, randomUUID(), {
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      secure: site.publicUrl.startsWith('https:'),
      maxAge: TEN_YEARS_SECONDS,
    });
  }
  return reply.status(status).type('text/html; charset=utf-8').header('cache-control', 'no-store').send(page);
}
