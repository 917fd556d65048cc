/**
 * Handles unusual URLs that some browsers send: cut off in the middle of an escape, too long, or with control characters. Users get an HTML
 * error page, never JSON.
 */
import { createHash } from 'node:crypto';
import type { FastifyServerOptions } from 'fastify';
import type { Site } from '../app-deps.ts';

/** Escapes the percent signs in a path that can't be decoded, so that it gets the normal not-found page. */
export function rewriteUndecodableUrl(url: string): string {
  if (!url.includes('%')) return url;
  const [path = '', ...query] = url.split('?');
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return [path.replaceAll('%', '%25'), ...query].join('?');
  }
}

const STYLE = 'body{font:1rem/1.5 system-ui,sans-serif;max-width:34rem;margin:15vh auto;padding:0 1rem;color-scheme:light dark}';
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; frame-ancestors 'none'`;

const ERROR_PAGES = {
  431: ['Request Header Fields Too Large', 'This web address is too long', 'Use a shorter address to open the page.'],
  408: ['Request Timeout', 'This took too long', 'Your request didn’t arrive in full. Reload the page.'],
  400: ['Bad Request', 'We can’t read this web address', 'It contains characters that aren’t allowed in a web address.'],
} as const;

type ClientErrorHandler = NonNullable<FastifyServerOptions['clientErrorHandler']>;

/** The header as Helmet sends it (security-headers.ts). */
const STRICT_TRANSPORT_SECURITY = 'Strict-Transport-Security: max-age=31536000; includeSubDomains\r\n';

/** Responds to a request that Node can't parse. No other portal code runs for it, so the page must be self-contained. */
export function createUnreadableRequestHandler({ publicUrl }: Pick<Site, 'publicUrl'>): ClientErrorHandler {
  const transportSecurity = publicUrl.startsWith('https:') ? STRICT_TRANSPORT_SECURITY : '';
  return (error, socket) => sendUnreadableRequestPage(error, socket, transportSecurity);
}

function sendUnreadableRequestPage(
  error: Parameters<ClientErrorHandler>[0],
  socket: Parameters<ClientErrorHandler>[1],
  transportSecurity: string,
): void {
  // The client has disconnected or the response has started, so nothing more can be sent.
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
  const [reason, heading, text] = ERROR_PAGES[status];
  const page =
    `<!doctype html><html lang="en-GB"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${heading}</title>` +
    `<style>${STYLE}</style><h1>${heading}</h1><p>${text} <a href="/portal">Go to the portal</a></p></html>`;
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(page)}\r\n` +
      `${transportSecurity}Content-Security-Policy: ${POLICY}\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n${page}`,
  );
}
