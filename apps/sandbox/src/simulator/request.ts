/** Helpers to read requests. */
import type { FastifyRequest } from 'fastify';

/** The full URL with the caller's Host header: browsers use localhost, tests 127.0.0.1. */
export function requestUrl({ url, host }: Pick<FastifyRequest, 'url' | 'host'>): URL {
  return new URL(url, `http://${host}`);
}

export function searchParams({ url }: Pick<FastifyRequest, 'url'>): URLSearchParams {
  return new URLSearchParams(url.split('?').slice(1).join('?'));
}

/** The raw body, over which signatures are checked; "" without a body. */
export function bodyText({ body }: Pick<FastifyRequest, 'body'>): string {
  return typeof body === 'string' ? body : '';
}

/** The body, parsed as a form. */
export function readForm(request: Pick<FastifyRequest, 'body'>): URLSearchParams {
  return new URLSearchParams(bodyText(request));
}
