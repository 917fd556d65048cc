import type { booksConnectionApi } from '@portal/contract/books-connection.ts';
import type { AppDeps } from '../../app-deps.ts';
import { ensureBrowserCookie } from '../../http/browser-cookie.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { getBooksConnection } from './books-connection-queries.ts';
import { disconnectBooks, startBooksConnection } from './connect-books.ts';
import { answerBasis, answerRates, chooseOrganisation, readAgain } from './decide-about-books.ts';

export function booksConnectionHandlers(deps: AppDeps): Handlers<typeof booksConnectionApi> {
  return {
    get: ({ tenant }) => getBooksConnection(deps, tenant.companyId),
    connect: ({ input, tenant, actor, reply }) =>
      startBooksConnection(deps, {
        companyId: tenant.companyId,
        userId: actor.userId,
        provider: input.program,
        browser: ensureBrowserCookie(reply, deps.site),
        returnTo: input.return_to,
      }),
    choose: async ({ input, tenant, actor, caller }) => {
      await chooseOrganisation(deps, { actor, caller }, tenant.companyId, input.organisation_id);
      return getBooksConnection(deps, tenant.companyId);
    },
    read: async ({ tenant }) => {
      await readAgain(deps, tenant.companyId);
      return getBooksConnection(deps, tenant.companyId);
    },
    answerBasis: async ({ input, tenant, actor, caller }) => {
      await answerBasis(deps, { actor, caller }, tenant.companyId, input.basis);
      return getBooksConnection(deps, tenant.companyId);
    },
    answerRates: async ({ input, tenant, actor, caller }) => {
      await answerRates(deps, { actor, caller }, tenant.companyId, input.answers);
      return getBooksConnection(deps, tenant.companyId);
    },
    disconnect: async ({ tenant, actor, caller }) => {
      await disconnectBooks(deps, tenant.companyId, actor.userId, caller.ip);
      return getBooksConnection(deps, tenant.companyId);
    },
  };
}
