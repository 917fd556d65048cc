import type { vatReturnsApi } from '@portal/contract/vat-returns.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { listBoxTransactions } from './box-transactions.ts';
import { fileReturn } from './file-return.ts';
import { resolveFiling } from './resolve-filing.ts';
import { viewReturn } from './read-return.ts';

export function vatReturnsHandlers(deps: AppDeps): Handlers<typeof vatReturnsApi> {
  return {
    get: ({ input }) => viewReturn(deps, input.company_id, input.obligation_id),
    transactions: ({ input }) => listBoxTransactions(deps, input.company_id, input),
    file: async ({ input, actor, caller }) => {
      await fileReturn(deps, { actor, caller }, input.company_id, input.obligation_id, input.figures_version);
      return viewReturn(deps, input.company_id, input.obligation_id);
    },
    resolve: async ({ input, actor, caller }) => {
      await resolveFiling(deps, { actor, caller }, input.company_id, input.obligation_id);
      return viewReturn(deps, input.company_id, input.obligation_id);
    },
  };
}
