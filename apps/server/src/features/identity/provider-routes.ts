/**
 * Browser navigations for signing in with a provider (docs/product/specification.md section 7.5). They respond with redirects, never with
 * JSON.
 */
import { SIGN_IN_PROVIDERS, type SignInProviderName } from '@portal/contract/security.ts';
import { findPage } from '@portal/contract/pages.ts';
import { AppError } from '@portal/domain/app-error.ts';
import { ProviderError } from '@portal/providers/http/provider-error.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AppDeps } from '../../app-deps.ts';
import { authorise } from '../../http/authorise.ts';
import { getCaller, type ServeSettings } from '../../http/serve-contract.ts';
import { findBrowser, ensureBrowserCookie } from '../../http/browser-cookie.ts';
import { findVrn } from './hmrc-sign-in.ts';
import { limitAttempts, toNetwork } from './limit-attempts.ts';
import { hasConfirmed } from '../../http/policies.ts';
import { startProviderSignIn, completeProviderSignIn, getOutcomePage, isForPractice } from './provider-sign-in.ts';
import { findSignUpBooks } from './sign-up-books.ts';
import { readReferral } from './read-referral.ts';

const SIGN_UP_PATHS: Readonly<Record<string, SignInProviderName>> = {
  '/portal/google_signup': 'google',
  '/portal/microsoft_signup': 'microsoft',
  '/portal/intuit_signup': 'intuit',
  '/portal/xero_sso_signup': 'xero',
  '/portal/freeagent_signup': 'freeagent',
};

/** The number of sign-ins that one IP address may start in 15 minutes. */
const MAX_STARTS_PER_ADDRESS = 100;

export function serveProviderSignIn(app: FastifyInstance, deps: AppDeps, settings: ServeSettings): void {
  for (const [path, provider] of Object.entries(SIGN_UP_PATHS)) {
    app.get(path, (request, reply) => startSignIn(deps, request, reply, provider, { isSignUp: true }));
  }
  app.get('/portal/v2/auth/provider/:provider', async (request, reply) => {
    const provider = getProvider(request);
    const { actor } = await authorise(settings, { access: 'public', hasEffect: true }, request, {});
    // Linking can be started only from our own pages, so that no other site can make a signed-in browser do it.
    const isLinking = getQueryText(request, 'link') === '1' && actor !== undefined && isSameOrigin(request);
    if (isLinking && !hasConfirmed(actor, deps.wallClock.now()))
      return redirectTo(reply, getOutcomePage(provider, 'confirm_needed', { linkTo: actor.userId }));
    return startSignIn(deps, request, reply, provider, isLinking ? { linkTo: actor.userId } : {});
  });
  app.get('/portal/v2/auth/callback/:provider', async (request, reply) => {
    const provider = getProvider(request);
    const params = new URL(request.url, 'http://localhost').searchParams;
    const context = { caller: getCaller(request), reply };
    const { actor } = await authorise(settings, { access: 'public', hasEffect: true }, request, {});
    const callback = { provider, browser: findBrowser(request, deps.site), params, signedInAs: actor };
    const page = await completeProviderSignIn(deps, context, callback);
    return redirectTo(reply, page);
  });
}

async function startSignIn(
  deps: AppDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  provider: SignInProviderName,
  { linkTo, isSignUp = false }: { readonly linkTo?: string; readonly isSignUp?: boolean },
): Promise<FastifyReply> {
  await limitAttempts(deps.database.db, deps.wallClock, { [`provider-ip:${toNetwork(request.ip)}`]: MAX_STARTS_PER_ADDRESS });
  const vrn = findVrn(getQueryText(request, 'vrn'));
  const next = parseNextPath(getQueryText(request, 'next'));
  if (provider === 'hmrc' && vrn === undefined) return redirectTo(reply, getOutcomePage(provider, 'needs_vrn'));
  try {
    const url = await startProviderSignIn(deps, {
      provider,
      browser: ensureBrowserCookie(reply, deps.site),
      next,
      referral: readReferral(
        request.cookies,
        getQueryText(request, 'partner_signup') ?? getQueryText(request, 'partner_id') ?? getQueryText(request, 'partner'),
        deps.clock.now(),
      ),
      linkTo,
      vrn,
      // Practices bring their clients' books, not their own.
      booksProvider: isSignUp && !isForPractice(next) ? findSignUpBooks(deps, provider) : undefined,
    });
    return url === undefined
      ? redirectTo(reply, getOutcomePage(provider, 'not_set_up', { linkTo, next }))
      : setNoStore(reply).redirect(url);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    deps.logger.warn({ err: error }, 'could not start a sign-in with a provider');
    return redirectTo(reply, getOutcomePage(provider, 'failed', { linkTo, next }));
  }
}

function redirectTo(reply: FastifyReply, page: string): FastifyReply {
  return setNoStore(reply).redirect(`/portal${page}`);
}

function setNoStore(reply: FastifyReply): FastifyReply {
  return reply.header('cache-control', 'no-store');
}

function getProvider(request: FastifyRequest): SignInProviderName {
  const { provider: requestedProvider } = request.params as { provider: string };
  const provider = SIGN_IN_PROVIDERS.find((candidate) => candidate === requestedProvider);
  if (!provider) throw new AppError('notFound', 'request.not_found', 'Page not found.');
  return provider;
}

/**
 * Allows only our own pages: other URLs would make this an open redirect for phishing. Also allows only URL characters, because others are
 * invalid in a Location header.
 */
function parseNextPath(next: string | undefined): string | undefined {
  if (next === undefined || next.length > 1000 || !/^\/(?![/\\])[!-~]*$/.test(next)) return undefined;
  const path = next.replace(/^\/portal(?=\/|$)/, '');
  return findPage(path.split(/[?#]/)[0] ?? '') ? path : undefined;
}

function getQueryText(request: FastifyRequest, name: string): string | undefined {
  const value = (request.query as Record<string, unknown>)[name];
  return typeof value === 'string' && value !== '' && !value.includes('\0') ? value : undefined;
}

function isSameOrigin(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site'];
  return site === undefined || site === 'same-origin' || site === 'none';
}
