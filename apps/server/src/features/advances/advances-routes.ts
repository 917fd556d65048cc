import type { advancesApi } from '@portal/contract/advances.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { fetchIfFiledElsewhere } from '../vat-returns/found-returns.ts';
import { refreshHmrc } from '../hmrc-connection/refresh-hmrc.ts';
import { acceptQuote, confirmCollectionAccount, withdrawAdvance } from './accept-quote.ts';
import { findAdvanceId, getAdvanceOutput } from './get-advance.ts';
import { confirmFacts } from './read-facts.ts';
import { revokeCollectionAccount } from './revoke-collection-account.ts';
import { quoteRefund } from './quote-refund.ts';

export function advancesHandlers(deps: AppDeps): Handlers<typeof advancesApi> {
  const { db } = deps.database;
  const find = async (companyId: string, obligationId: string | undefined, reason: string | null) => {
    const id = await findAdvanceId(db, companyId, obligationId);
    if (id === undefined)
      return {
        advance: null,
        reason: reason ?? 'When HMRC has a return with a refund due, we’ll show you here how much you can get early.',
      };
    return { advance: await getAdvanceOutput(deps, db, companyId, id), reason };
  };
  return {
    find: ({ input, tenant }) => find(tenant.companyId, input.obligation_id, null),
    quote: async ({ input, tenant, actor, caller }) => {
      // The rules use HMRC's current data, read for this request, or the stored data if HMRC can't be read.
      const { status } = await refreshHmrc(deps, tenant.companyId, { actor, caller });
      if (status === 'refreshed') await fetchIfFiledElsewhere(deps, { actor, caller }, tenant.companyId, input.obligation_id);
      const noQuoteReason = await quoteRefund(deps, tenant.companyId, input.obligation_id, actor.userId);
      if (noQuoteReason !== undefined) return { advance: null, reason: noQuoteReason };
      return find(tenant.companyId, input.obligation_id, null);
    },
    accept: async ({ input, tenant, actor, caller }) => {
      const { companyId } = tenant;
      const { advance_id: advanceId, version, agreement_hash: agreementHash } = input;
      await acceptQuote(deps, { actor, caller }, { companyId, advanceId, version, agreementHash });
      return getAdvanceOutput(deps, db, companyId, advanceId);
    },
    confirmCollectionAccount: async ({ input, tenant, actor, caller }) => {
      await confirmCollectionAccount(deps, { actor, caller }, tenant.companyId, input.advance_id);
      return getAdvanceOutput(deps, db, tenant.companyId, input.advance_id);
    },
    revokeCollectionAccount: async ({ input, tenant, actor, caller }) => {
      await revokeCollectionAccount(deps, { actor, caller }, tenant.companyId, input.advance_id);
      return getAdvanceOutput(deps, db, tenant.companyId, input.advance_id);
    },
    confirmFacts: async ({ input, tenant, actor, caller }) => {
      await confirmFacts(deps, { actor, caller }, tenant.companyId, input.advance_id);
      return getAdvanceOutput(deps, db, tenant.companyId, input.advance_id);
    },
    withdraw: async ({ input, tenant, actor, caller }) => {
      await withdrawAdvance(deps, { actor, caller }, tenant.companyId, input.advance_id);
      return { done: true };
    },
  };
}
