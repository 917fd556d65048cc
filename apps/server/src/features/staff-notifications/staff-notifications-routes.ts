import type { staffNotificationsApi } from '@portal/contract/staff-notifications.ts';
import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { runAsSystem } from '../../run-as-system.ts';
import { getChoices, muteClient, saveChoices } from './notification-choices.ts';
import { markRead } from './mark-read.ts';
import { countUnreadNotifications, listNotifications } from './notification-queries.ts';
import { readUnsubscribeLink, unsubscribe, UNSUBSCRIBE_PATH } from './unsubscribe.ts';

export function staffNotificationsHandlers(deps: AppDeps): Handlers<typeof staffNotificationsApi> {
  const { db } = deps.database;
  return {
    unread: async ({ tenant, actor }) => ({
      unread: await countUnreadNotifications(db, { companyId: tenant.practiceId, userId: actor.userId }),
    }),
    list: ({ input, tenant, actor }) => listNotifications(db, { companyId: tenant.practiceId, userId: actor.userId }, input),
    markRead: (call) => markRead(deps, call),
    choices: (call) => getChoices(deps, call),
    saveChoices: (call) => saveChoices(deps, call),
    mute: (call) => muteClient(deps, call),
    unsubscribeLink: ({ input, caller }) => readUnsubscribeLink(deps, input.token, caller.ip),
    unsubscribe: ({ input, caller }) => unsubscribe(deps, input.token, caller.ip),
  };
}

/** Email clients post “List-Unsubscribe=One-Click” to the URL in the email, without a cookie (RFC 8058 section 3.2). */
export async function serveOneClickUnsubscribe(app: FastifyInstance, deps: AppDeps): Promise<void> {
  await app.register(async (form) => {
    form.addContentTypeParser(
      ['application/x-www-form-urlencoded', 'multipart/form-data'],
      { bodyLimit: 4096 },
      (_request, payload, done) => {
        payload.resume().on('end', () => done(null, undefined));
      },
    );
    form.post(`/portal${UNSUBSCRIBE_PATH}`, async (request, reply) => {
      const token = new URL(request.url, 'http://localhost').searchParams.get('link') ?? '';
      await runAsSystem('unsubscribe link', () => unsubscribe(deps, token, request.ip));
      return reply.header('cache-control', 'no-store').type('text/plain').send('Unsubscribed');
    });
  });
}
