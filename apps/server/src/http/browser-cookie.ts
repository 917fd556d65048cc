/** Names a browser for an hour or two, so that what was begun in one browser is finished in no other. It signs nobody in. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Site } from '../app-deps.ts';
import { hashToken, newToken } from './session.ts';

const LIFE_SECONDS = 2 * 3600;
const TOKEN = /^[\w-]{43}$/;

function cookieName(publicUrl: string): string {
  return publicUrl.startsWith('https:') ? '__Host-portal_browser' : 'portal_browser';
}

/** The hash of this browser's cookie; undefined where it has none. */
export function findBrowser(request: FastifyRequest, { publicUrl }: Site): string | undefined {
  const token = request.cookies[cookieName(publicUrl)];
  return token !== undefined && TOKEN.test(token) ? hashToken(token) : undefined;
}

/** The same, with a cookie for a browser that has none. */
export function markBrowser(reply: FastifyReply, { publicUrl }: Site): string {
  const name = cookieName(publicUrl);
  const held = reply.request.cookies[name];
  const token = held !== undefined && TOKEN.test(held) ? held : newToken();
  reply.setCookie(name, token, {
    path: '/',
    httpOnly: true,
    // Lax, because the way back from a provider is a navigation from its site.
    sameSite: 'lax',
    secure: publicUrl.startsWith('https:'),
    maxAge: LIFE_SECONDS,
  });
  return hashToken(token);
}
