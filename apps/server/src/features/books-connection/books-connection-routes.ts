import type { booksConnectionApi } from '@portal/contract/books-connection.ts';
import type { AppDeps } from '../../app-deps.ts';
import { ensureBrowserCookie } from '../../http/browser-cookie.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { toTaxpayer } from '../vat-returns/taxpayer.ts';
import { getBooksConnection } from './books-connection-queries.ts';
import { disconnectBooks, startBooksConnection } from './connect-books.ts';
import { answerBasis, answerRates, chooseOrganisation, requestFullRead } from './decide-about-books.ts';

export function booksConnectionHandlers(deps: AppDeps): Handlers<typeof booksConnectionApi> {
  return {
    get: ({ tenant }) => getBooksConnection(deps, toTaxpayer(tenant)),
    connect: ({ input, tenant, actor, reply }) =>
      startBooksConnection(deps, {
        ...toTaxpayer(tenant),
        userId: actor.userId,
        provider: input.program,
        browser: ensureBrowserCookie(reply, deps.site),
        returnTo: input.return_to,
      }),
    choose: async ({ input, tenant, actor, caller }) => {
      await chooseOrganisation(deps, { actor, caller }, toTaxpayer(tenant), input.organisation_id);
      return getBooksConnection(deps, toTaxpayer(tenant));
    },
    read: async ({ tenant }) => {
      await requestFullRead(deps, toTaxpayer(tenant));
      return getBooksConnection(deps, toTaxpayer(tenant));
    },
    answerBasis: async ({ input, tenant, actor, caller }) => {
      await answerBasis(deps, { actor, caller }, toTaxpayer(tenant), input.basis);
      return getBooksConnection(deps, toTaxpayer(tenant));
    },
    answerRates: async ({ input, tenant, actor, caller }) => {
      await answerRates(deps, { actor, caller }, toTaxpayer(tenant), input.answers);
      return getBooksConnection(deps, toTaxpayer(tenant));
    },
    disconnect: async ({ tenant, actor, caller }) => {
      await disconnectBooks(deps, toTaxpayer(tenant), actor.userId, caller.ip);
      return getBooksConnection(deps, toTaxpayer(tenant));
    },
  };
}
