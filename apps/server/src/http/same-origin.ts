/** Rejects requests that another site makes a browser send. Browsers report a request's origin, and pages can't forge it. */
import { AppError } from '@portal/domain/app-error.ts';
import type { FastifyRequest } from 'fastify';

/**
 * For every request that changes data. A caller other than a browser sends neither header, and has no cookie that could be misused. With a
 * key, the cookie isn't read (authorise.ts), so another site's page can't do anything without knowing the key.
 */
export function assertSameOrigin(request: FastifyRequest): void {
  if (!hasBearerToken(request)) assertOwnOrigin(request);
}

/** Rejects a request from another site's page, however it is authenticated. */
export function assertOwnOrigin(request: FastifyRequest): void {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw createOtherOriginError();
  const origin = request.headers.origin;
  if (origin === undefined) return;
  if (!URL.canParse(origin) || new URL(origin).host !== request.headers.host) throw createOtherOriginError();
}

/** Returns whether the request uses a key instead of a session. */
export function hasBearerToken({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return headers.authorization !== undefined && /^bearer(?: |$)/i.test(headers.authorization);
}

function createOtherOriginError(): AppError {
  return new AppError('forbidden', 'request.other_origin', 'This request came from another website, so we didn’t carry it out.');
}
