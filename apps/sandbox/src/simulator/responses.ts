/** Helpers for sending responses. */
import type { FastifyReply } from 'fastify';

/** Sends an HTML page. */
export function sendHtml(reply: FastifyReply, status: number, body: string, headers: Record<string, string> = {}): FastifyReply {
  return reply
    .code(status)
    .headers({ 'content-type': 'text/html; charset=utf-8', ...headers })
    .send(body);
}

/** Redirects after a form submission, so that the browser follows with GET. */
export function redirectSeeOther(reply: FastifyReply, location: string, headers: Record<string, string> = {}): FastifyReply {
  return reply
    .code(303)
    .headers({ location, 'cache-control': 'no-store', ...headers })
    .send();
}

/** Renders an error box above a form. */
export function renderErrorBox(message: string | undefined): string {
  return message === undefined ? '' : `<div class="error" role="alert"><p>${escapeHtml(message)}</p></div>`;
}

/** Escapes text for HTML. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;');
}
