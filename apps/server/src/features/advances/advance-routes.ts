import type { advancesApi } from '@portal/contract/advances.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { readIfFiledElsewhere } from '../vat-returns/note-found-return.ts';
import { refreshHmrc } from '../hmrc-connection/refresh-hmrc.ts';
import { acceptQuote, confirmCollectionAccount, withdrawAdvance } from './accept-quote.ts';
import { findAdvanceId, viewAdvance } from './read-advance.ts';
import { quoteRefund } from './quote-refund.ts';

export function advancesHandlers(deps: AppDeps): Handlers<typeof advancesApi> {
  const { db } = deps.database;
  const find = async (companyId: string, obligationId: string | undefined, reason: string | null) => {
    const id = await findAdvanceId(db, companyId, obligationId);
    if (id === undefined)
      return { advance: null, reason: reason ?? 'There is no offer yet: it follows a return that HMRC holds and that ends in a refund.' };
    return { advance: await viewAdvance(deps, db, companyId, id), reason };
  };
  return {
    find: ({ input }) => find(input.company_id, input.obligation_id, null),
    quote: async ({ input, actor, caller }) => {
      // The rules judge what HMRC says now, on this person's click; where it cannot be read, they judge what is stored.
      const { status } = await refreshHmrc(deps, input.company_id, { actor, caller });
      if (status === 'refreshed') await readIfFiledElsewhere(deps, { actor, caller }, input.company_id, input.obligation_id);
      const noQuote = await quoteRefund(deps, input.company_id, input.obligation_id, actor.userId);
      if (noQuote !== undefined) return { advance: null, reason: noQuote };
      return find(input.company_id, input.obligation_id, null);
    },
    accept: async ({ input, actor, caller }) => {
      const { company_id: companyId, advance_id: advanceId, version, agreement_hash: agreementHash } = input;
      await acceptQuote(deps, { actor, caller }, { companyId, advanceId, version, agreementHash });
      return viewAdvance(deps, db, companyId, advanceId);
    },
    confirmCollectionAccount: async ({ input, actor, caller }) => {
      await confirmCollectionAccount(deps, { actor, caller }, input.company_id, input.advance_id);
      return viewAdvance(deps, db, input.company_id, input.advance_id);
    },
    withdraw: async ({ input, actor, caller }) => {
      await withdrawAdvance(deps, { actor, caller }, input.company_id, input.advance_id);
      return { done: true };
    },
  };
}
