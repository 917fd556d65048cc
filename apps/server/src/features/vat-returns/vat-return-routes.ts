import type { vatReturnsApi } from '@portal/contract/vat-returns.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { listBoxTransactions } from './list-box-transactions.ts';
import { fileReturn } from './file-return.ts';
import { resolveFiling } from './resolve-filing.ts';
import { getReturnOutput } from './get-return.ts';

export function vatReturnsHandlers(deps: AppDeps): Handlers<typeof vatReturnsApi> {
  return {
    get: ({ input, tenant }) => getReturnOutput(deps, tenant.companyId, input.obligation_id),
    transactions: ({ input, tenant }) => listBoxTransactions(deps, tenant.companyId, input),
    file: async ({ input, tenant, actor, caller }) => {
      await fileReturn(deps, { actor, caller }, tenant.companyId, input.obligation_id, input.figures_version);
      return getReturnOutput(deps, tenant.companyId, input.obligation_id);
    },
    resolve: async ({ input, tenant, actor, caller }) => {
      await resolveFiling(deps, { actor, caller }, tenant.companyId, input.obligation_id);
      return getReturnOutput(deps, tenant.companyId, input.obligation_id);
    },
  };
}
