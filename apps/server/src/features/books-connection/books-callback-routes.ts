/** The redirect URIs for bookkeeping software. The browser navigates to them, so they respond with a redirect. */
import { AppError } from '@portal/domain/app-error.ts';
import { BOOKS_PROVIDERS } from '@portal/domain/connected-books/books-providers.ts';
import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '../../app-deps.ts';
import { authorise } from '../../http/authorise.ts';
import { findBrowser } from '../../http/browser-cookie.ts';
import type { ServeSettings } from '../../http/serve-contract.ts';
import { BOOKS_CALLBACK_PATH } from '../../start/identity-clients.ts';
import { completeGrant } from '../practice-books/connect-grant.ts';
import { consumeBooksState } from './books-states.ts';
import { completeBooksConnection } from './connect-books.ts';

export function serveBooksCallback(app: FastifyInstance, deps: AppDeps, settings: ServeSettings): void {
  for (const provider of BOOKS_PROVIDERS) {
    app.get(`${BOOKS_CALLBACK_PATH}/${provider}`, async (request, reply) => {
      const { actor } = await authorise(settings, { access: 'public', hasEffect: true }, request, {});
      reply.header('cache-control', 'no-store');
      if (!actor) return reply.redirect('/portal/login');
      const params = new URL(request.url, 'http://localhost').searchParams;
      const browser = findBrowser(request, deps.site);
      const callback = { provider, userId: actor.userId, browser, params, ip: request.ip };
      const state = await consumeBooksState(deps, callback);
      if (state) {
        const isOfPractice = state.returnTo === 'settings';
        const page = await (isOfPractice ? completeGrant(deps, state, callback) : completeBooksConnection(deps, state, callback));
        return reply.redirect(`/portal${page}`);
      }
      const message = 'This connection wasn’t started in this browser, or has already been completed. Connect your books again.';
      throw new AppError('notFound', 'books.unknown_state', message);
    });
  }
}
