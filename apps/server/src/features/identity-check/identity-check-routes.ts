import type { identityCheckApi } from '@portal/contract/identity-check.ts';
import { AppError } from '@portal/domain/app-error.ts';
import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { runAsSystem } from '../../run-as-system.ts';
import { limitAttempts } from '../identity/limit-attempts.ts';
import { startCheck, getIdentityCheckStatus, saveCheckResult } from './identity-checks.ts';
import { listOwners } from './list-owners.ts';
import { verifyManually } from './verify-manually.ts';

export const IDENTITY_WEBHOOK_PATH = '/portal/webhooks/identity-check';

export function identityCheckHandlers(deps: AppDeps): Handlers<typeof identityCheckApi> {
  return {
    find: ({ actor }) => getIdentityCheckStatus(deps, actor),
    begin: async ({ actor, caller }) => {
      await limitAttempts(deps.database.db, deps.wallClock, { [`identity-check:${actor.userId}`]: 20 });
      return startCheck(deps, actor, caller.ip);
    },
    listOwners: ({ input }) => listOwners(deps, input.company_id),
    verifyByHand: async ({ input, actor, caller }) => {
      await verifyManually(deps, actor, caller, input);
      return { done: true };
    },
  };
}

/**
 * Webhooks from the identity check provider, verified over the raw bytes. Events can repeat and arrive out of order, so the current state
 * is read from the provider.
 */
export async function serveIdentityWebhook(app: FastifyInstance, deps: AppDeps): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: 64 * 1024 }, (_request, body, done) => done(null, body));
    scope.post(IDENTITY_WEBHOOK_PATH, async (request, reply) => {
      const { identityCheck } = deps;
      if (!identityCheck) throw new AppError('notFound', 'request.not_found', 'Page not found.');
      const rawBody = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const { result } = identityCheck.verifyWebhook({ headers: request.headers, rawBody });
      const currentResult = await identityCheck.findCheck(result.checkId);
      // Unknown checks (from a reset sandbox) are also acknowledged, because redelivery would not help.
      await runAsSystem('webhook', () => saveCheckResult(deps, currentResult ?? result));
      return reply.status(204).send();
    });
  });
}
