import type { BooksConnectionState } from '@portal/contract/books-connection.ts';
import type { clientBooksApi } from '@portal/contract/client-books.ts';
import { isUniqueViolation } from '@portal/db/sql-errors.ts';
import type { AppDeps } from '../../app-deps.ts';
import { ensureBrowserCookie } from '../../http/browser-cookie.ts';
import type { ClientTenant } from '../../http/resolve-tenant.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { getBooksConnection } from './books-connection-queries.ts';
import { disconnectBooks, startBooksConnection } from './connect-books.ts';
import { answerBasis, answerRates, confirmVatNumber, requestFullRead } from './decide-about-books.ts';
import { lockTaxpayer, toTaxpayer } from '../vat-returns/taxpayer.ts';
import { followLink } from '../practice-books/follow-link.ts';
import { createLinkedError, linkOrganisation } from '../practice-books/link-organisations.ts';
import { listOfferedBooks } from '../practice-books/offered-books.ts';
import { findOwnBooks } from '../practice-books/own-books.ts';

export function clientBooksHandlers(deps: AppDeps): Handlers<typeof clientBooksApi> {
  const getState = async (tenant: ClientTenant): Promise<BooksConnectionState> => {
    const { available, connection } = await getBooksConnection(deps, toTaxpayer(tenant));
    // The other software is connected once for all clients.
    return { available: available.filter((provider) => provider === 'quickbooks'), connection };
  };
  return {
    get: ({ tenant }) => getState(tenant),
    offered: ({ input, tenant, actor }) => listOfferedBooks(deps, { ...tenant, actor, search: input.search }),
    link: async ({ input, tenant, actor, caller }) => {
      const { practiceId, clientId } = tenant;
      const { program, organisation_id, replace } = input;
      const link = { program, organisation_id, client_id: clientId, replace };
      const at = deps.clock.now();
      try {
        await deps.database.db.transaction(async (tx) => {
          await lockTaxpayer(tx, toTaxpayer(tenant));
          const ownBooks = (await findOwnBooks(tx, practiceId, [clientId])).get(clientId);
          await linkOrganisation(tx, { practiceId, actor, ip: caller.ip }, link, { at, own: ownBooks });
          await followLink(deps, tx, tenant);
        });
      } catch (error) {
        if (isUniqueViolation(error, 'practice_organisations_client')) throw createLinkedError('The client');
        throw error;
      }
      return getState(tenant);
    },
    connect: ({ input, tenant, actor, reply }) =>
      startBooksConnection(deps, {
        ...toTaxpayer(tenant),
        userId: actor.userId,
        provider: input.program,
        browser: ensureBrowserCookie(reply, deps.site),
        returnTo: 'client',
      }),
    read: async ({ tenant }) => {
      await requestFullRead(deps, toTaxpayer(tenant));
      return getState(tenant);
    },
    answerBasis: async ({ input, tenant, actor, caller }) => {
      await answerBasis(deps, { actor, caller }, toTaxpayer(tenant), input.basis);
      return getState(tenant);
    },
    answerRates: async ({ input, tenant, actor, caller }) => {
      await answerRates(deps, { actor, caller }, toTaxpayer(tenant), input.answers);
      return getState(tenant);
    },
    confirmVatNumber: async ({ input, tenant, actor, caller }) => {
      await confirmVatNumber(deps, { actor, caller }, toTaxpayer(tenant), input.vat_number);
      return getState(tenant);
    },
    disconnect: async ({ tenant, actor, caller }) => {
      await disconnectBooks(deps, toTaxpayer(tenant), actor.userId, caller.ip);
      return getState(tenant);
    },
  };
}
