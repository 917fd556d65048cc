import type { practiceBooksApi } from '@portal/contract/practice-books.ts';
import { practiceOrganisations } from '@portal/db/schema/schema.ts';
import { and, eq, isNull } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { ensureBrowserCookie } from '../../http/browser-cookie.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import type { BooksGrantKey } from '../books-connection/find-books-grant.ts';
import { startGrant } from './connect-grant.ts';
import { disconnectGrant } from './disconnect-grant.ts';
import { linkOrganisations, unlinkFromClient } from './link-organisations.ts';
import { listGrants } from './list-grants.ts';
import { enqueueOrganisations } from './list-organisations.ts';
import { listPracticeOrganisations } from './practice-organisations.ts';

export function practiceBooksHandlers(deps: AppDeps): Handlers<typeof practiceBooksApi> {
  return {
    get: ({ tenant, actor }) => listGrants(deps, tenant.practiceId, actor),
    organisations: ({ input, tenant, actor }) => listPracticeOrganisations(deps, tenant.practiceId, actor, input),
    connect: ({ input, tenant, actor, reply }) =>
      startGrant(deps, {
        practiceId: tenant.practiceId,
        userId: actor.userId,
        provider: input.program,
        browser: ensureBrowserCookie(reply, deps.site),
      }),
    refresh: async ({ input, tenant, actor }) => {
      await refreshOrganisations(deps, { companyId: tenant.practiceId, provider: input.program });
      return listGrants(deps, tenant.practiceId, actor);
    },
    link: async ({ input, tenant, actor, caller }) => {
      await linkOrganisations(deps, { practiceId: tenant.practiceId, actor, ip: caller.ip }, input.links);
      return { linked: input.links.length };
    },
    unlink: async ({ input, tenant, actor, caller }) => {
      await unlinkFromClient(deps, { practiceId: tenant.practiceId, actor, ip: caller.ip }, input);
      return { done: true };
    },
    disconnect: async ({ input, tenant, actor, caller }) => {
      await disconnectGrant(deps, { companyId: tenant.practiceId, provider: input.program, userId: actor.userId, ip: caller.ip });
      return listGrants(deps, tenant.practiceId, actor);
    },
  };
}

/** Also reads the numbers of organisations without a client again, because someone may have entered a VAT number. */
async function refreshOrganisations(deps: AppDeps, key: BooksGrantKey): Promise<void> {
  await deps.database.db.transaction(async (tx) => {
    await tx
      .update(practiceOrganisations)
      .set({ detailsReadAt: null })
      .where(
        and(
          eq(practiceOrganisations.companyId, key.companyId),
          eq(practiceOrganisations.provider, key.provider),
          isNull(practiceOrganisations.clientId),
        ),
      );
    await enqueueOrganisations(deps, tx, key);
  });
}
