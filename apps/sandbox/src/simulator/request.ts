/** Helpers for reading requests. */
import type { FastifyRequest } from 'fastify';

/** Returns the full URL with the caller's Host header, because browsers use localhost and tests 127.0.0.1. */
export function requestUrl({ url, host }: Pick<FastifyRequest, 'url' | 'host'>): URL {
  return new URL(url, `http://${host}`);
}

export function searchParams({ url }: Pick<FastifyRequest, 'url'>): URLSearchParams {
  return new URLSearchParams(url.split('?').slice(1).join('?'));
}

/** Returns the raw body, which signatures cover, or "" if there is none. */
export function readBodyText({ body }: Pick<FastifyRequest, 'body'>): string {
  return typeof body === 'string' ? body : '';
}

/** Returns the body, parsed as a form. */
export function readForm(request: Pick<FastifyRequest, 'body'>): URLSearchParams {
  return new URLSearchParams(readBodyText(request));
}
