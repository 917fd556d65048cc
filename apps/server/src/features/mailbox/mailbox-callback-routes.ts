/** The redirect URIs for mailboxes. The browser navigates to them, so they respond with a redirect. */
import { MAILBOX_PROVIDERS } from '@portal/domain/messages/sending-limits.ts';
import { AppError } from '@portal/domain/app-error.ts';
import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '../../app-deps.ts';
import { authorise } from '../../http/authorise.ts';
import { findBrowser } from '../../http/browser-cookie.ts';
import type { ServeSettings } from '../../http/serve-contract.ts';
import { MAILBOX_CALLBACK_PATH } from '../../start/identity-clients.ts';
import { completeMailbox } from './connect-mailbox.ts';

export function serveMailboxCallback(app: FastifyInstance, deps: AppDeps, settings: ServeSettings): void {
  for (const provider of MAILBOX_PROVIDERS) {
    app.get(`${MAILBOX_CALLBACK_PATH}/${provider}`, async (request, reply) => {
      const { actor } = await authorise(settings, { access: 'public', hasEffect: true }, request, {});
      reply.header('cache-control', 'no-store');
      if (!actor) return reply.redirect('/portal/login');
      const params = new URL(request.url, 'http://localhost').searchParams;
      const browser = findBrowser(request, deps.site);
      const page = await completeMailbox(deps, { provider, userId: actor.userId, browser, params, ip: request.ip });
      if (page !== undefined) return reply.redirect(`/portal${page}`);
      const message = 'This connection wasn’t started in this browser, or has already been completed. Connect the mailbox again.';
      throw new AppError('notFound', 'mailbox.unknown_state', message);
    });
  }
}
