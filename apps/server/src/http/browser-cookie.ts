/** Identifies a browser for two hours, so that a flow started in one browser can't be completed in another. It doesn't sign anyone in. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Site } from '../app-deps.ts';
import { generateToken, hashToken } from './session.ts';

const COOKIE_TTL_SECONDS = 2 * 3600;
const TOKEN = /^[\w-]{43}$/;

function getCookieName(publicUrl: string): string {
  return publicUrl.startsWith('https:') ? '__Host-portal_browser' : 'portal_browser';
}

/** Returns the hash of this browser's cookie, or undefined if it doesn't have one. */
export function findBrowser(request: FastifyRequest, { publicUrl }: Site): string | undefined {
  const token = request.cookies[getCookieName(publicUrl)];
  return token !== undefined && TOKEN.test(token) ? hashToken(token) : undefined;
}

/** Like findBrowser, but sets a cookie if the browser doesn't have one. */
export function ensureBrowserCookie(reply: FastifyReply, { publicUrl }: Site): string {
  const name = getCookieName(publicUrl);
  const existing = reply.request.cookies[name];
  const token = existing !== undefined && TOKEN.test(existing) ? existing : generateToken();
  reply.setCookie(name, token, {
    path: '/',
    httpOnly: true,
    // Lax, because the redirect back from a provider is a navigation from its site.
    sameSite: 'lax',
    secure: publicUrl.startsWith('https:'),
    maxAge: COOKIE_TTL_SECONDS,
  });
  return hashToken(token);
}
