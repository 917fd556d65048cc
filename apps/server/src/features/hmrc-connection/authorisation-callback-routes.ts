/**
 * Handles the redirect URI of HMRC's authorisation. The browser navigates to it, so it isn't an endpoint of the contract and responds with
 * a redirect.
 */
import { AppError } from '@portal/domain/app-error.ts';
import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '../../app-deps.ts';
import { authorise } from '../../http/authorise.ts';
import { type ServeSettings } from '../../http/serve-contract.ts';
import { completeAuthorisation } from './complete-authorisation.ts';

export const HMRC_CALLBACK_PATH = '/portal/hmrc/callback';

export function serveAuthorisationCallback(app: FastifyInstance, deps: AppDeps, settings: ServeSettings): void {
  app.get(HMRC_CALLBACK_PATH, async (request, reply) => {
    const query = request.query as Record<string, unknown>;
    const getQueryText = (name: string): string | undefined => (typeof query[name] === 'string' ? query[name] : undefined);
    // If the session has ended in the meantime, the user logs in and finds the step unchanged.
    const { actor } = await authorise(settings, { access: 'public', hasEffect: true }, request, {});
    if (!actor) return reply.redirect('/portal/login');
    const pagePath = await completeAuthorisation(
      deps,
      actor.userId,
      { state: getQueryText('state'), code: getQueryText('code'), error: getQueryText('error') },
      request.ip,
    );
    if (pagePath === undefined)
      throw new AppError(
        'notFound',
        'hmrc.unknown_consent',
        'This HMRC authorisation wasn’t started here, or has already been completed. Connect HMRC again.',
      );
    return reply.redirect(`/portal${pagePath}`);
  });
}
