/** Serves the control pages and API, and rejects state-changing requests from other origins. */
import { AppError, type ErrorKind } from '@portal/domain/app-error.ts';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { requestUrl } from '../simulator/request.ts';
import { ControlInputError, sendError, acceptsHtml, type ControlRoute } from './control-call.ts';
import { h } from './markup.ts';
import { sendPage } from './page.ts';

/** The simulators' controls throw the product's AppError. */
const STATUS_BY_KIND: Readonly<Partial<Record<ErrorKind, number>>> = { notFound: 404, conflict: 409, upstream: 502 };

export function createControlPlugin(routes: readonly ControlRoute[]): FastifyPluginAsync {
  return async (app) => {
    app.addHook('onRequest', async (request, reply) => {
      if (request.is404 || !isCrossOrigin(request)) return undefined;
      const message = 'You can only control the sandbox from its own pages or from scripts, not from other websites.';
      return sendError(reply, 403, 'origin', message);
    });
    app.setErrorHandler((error, _request, reply) => {
      if (error instanceof ControlInputError) return sendError(reply, 400, error.field, error.message);
      if (error instanceof AppError && error.kind !== 'bug') {
        return sendError(reply, STATUS_BY_KIND[error.kind] ?? 400, error.code, error.message);
      }
      throw error;
    });
    app.setNotFoundHandler(sendNotFound);
    for (const { method, url, handler } of routes) app.route({ method, url, handler });
  };
}

/**
 * Any page open in the same browser can reach loopback. Browsers identify its origin with Sec-Fetch-Site or Origin; scripts usually send
 * neither.
 */
function isCrossOrigin(request: FastifyRequest): boolean {
  if (request.method === 'GET' || request.method === 'HEAD') return false;
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const { origin } = request.headers;
  return origin !== undefined && origin !== requestUrl(request).origin;
}

function sendNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.code(404);
  if (!acceptsHtml(request)) return reply.send({ error: { field: 'path', message: 'Not found. The list of calls is at /.' } });
  const content = h`<p>The sandbox has no page at this address. <a href="/">See all pages</a>.</p>`;
  return sendPage(reply, 'Page not found', content);
}
