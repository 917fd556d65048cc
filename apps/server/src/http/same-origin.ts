/** Refuses calls that another site makes a browser send: browsers tell where a call comes from, and say so truly. */
import { AppError } from '@portal/domain/app-error.ts';
import type { FastifyRequest } from 'fastify';

/** For everything that changes something. A caller that is no browser sends neither header, and has no cookie to steal. */
export function refuseOtherOrigins(request: FastifyRequest): void {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw otherOrigin();
  const origin = request.headers.origin;
  if (origin === undefined) return;
  if (!URL.canParse(origin) || new URL(origin).host !== request.headers.host) throw otherOrigin();
}

function otherOrigin(): AppError {
  return new AppError('forbidden', 'request.other_origin', 'This call came from another site and was not carried out.');
}
