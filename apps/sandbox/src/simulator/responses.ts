/** What a simulator's answers are made of. */
import type { FastifyReply } from 'fastify';

/** A JSON answer. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });
}

/** An HTML page answer. */
export function html(status: number, body: string, headers: Record<string, string> = {}): Response {
  return new Response(body, { status, headers: { 'content-type': 'text/html; charset=utf-8', ...headers } });
}

/** Sends an HTML page. */
export function sendHtml(reply: FastifyReply, status: number, body: string, headers: Record<string, string> = {}): FastifyReply {
  return reply
    .code(status)
    .headers({ 'content-type': 'text/html; charset=utf-8', ...headers })
    .send(body);
}

/** A redirect after a form: the browser follows with GET. */
export function seeOther(reply: FastifyReply, location: string, headers: Record<string, string> = {}): FastifyReply {
  return reply
    .code(303)
    .headers({ location, 'cache-control': 'no-store', ...headers })
    .send();
}

/** Text made safe inside HTML. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;');
}
