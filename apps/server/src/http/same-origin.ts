/** Rejects requests that another site makes a browser send. Browsers report the origin of a request, and pages can't forge it. */
import { AppError } from '@portal/domain/app-error.ts';
import type { FastifyRequest } from 'fastify';

/** For every request that changes data. A caller other than a browser sends neither header and has no cookie to steal. */
export function assertSameOrigin(request: FastifyRequest): void {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw otherOriginError();
  const origin = request.headers.origin;
  if (origin === undefined) return;
  if (!URL.canParse(origin) || new URL(origin).host !== request.headers.host) throw otherOriginError();
}

function otherOriginError(): AppError {
  return new AppError('forbidden', 'request.other_origin', 'This request came from another website, so we didn’t carry it out.');
}
