/** What simulators read from a request beside Fastify's own fields. */
import type { FastifyRequest } from 'fastify';

/** The URL as the caller wrote it, from the Host header: browsers use the name and tests the number. */
export function requestUrl({ url, host }: Pick<FastifyRequest, 'url' | 'host'>): URL {
  return new URL(url, `http://${host}`);
}

export function searchParams({ url }: Pick<FastifyRequest, 'url'>): URLSearchParams {
  return new URLSearchParams(url.split('?').slice(1).join('?'));
}

/** The raw body as it was sent (signatures are checked over it), "" where there is none. */
export function bodyText({ body }: Pick<FastifyRequest, 'body'>): string {
  return typeof body === 'string' ? body : '';
}

/** The body as a form. */
export function readForm(request: Pick<FastifyRequest, 'body'>): URLSearchParams {
  return new URLSearchParams(bodyText(request));
}
