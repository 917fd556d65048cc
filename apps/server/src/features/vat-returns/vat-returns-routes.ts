import type { vatReturnsApi } from '@portal/contract/vat-returns.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { addAdjustment, removeAdjustment } from './adjustments.ts';
import { decideCorrections, getCorrections, undoCorrection } from './correct-errors.ts';
import { listBoxTransactions } from './list-box-transactions.ts';
import { fileReturn } from './file-return.ts';
import { resolveFiling } from './resolve-filing.ts';
import { getReturnOutput } from './get-return.ts';
import { toTaxpayer } from './taxpayer.ts';

export function vatReturnsHandlers(deps: AppDeps): Handlers<typeof vatReturnsApi> {
  return {
    get: ({ input, tenant }) => getReturnOutput(deps, toTaxpayer(tenant), input.obligation_id),
    transactions: ({ input, tenant }) => listBoxTransactions(deps, toTaxpayer(tenant), input),
    file: async ({ input, tenant, actor, caller }) => {
      await fileReturn(deps, { actor, caller }, toTaxpayer(tenant), input.obligation_id, input.figures_version);
      return getReturnOutput(deps, toTaxpayer(tenant), input.obligation_id);
    },
    corrections: ({ input, tenant }) => getCorrections(deps, { ...toTaxpayer(tenant), obligationId: input.obligation_id }),
    correct: async ({ input, tenant, actor, caller }) => {
      const key = { ...toTaxpayer(tenant), obligationId: input.obligation_id };
      await decideCorrections(deps, { actor, caller }, key, { keys: input.keys, route: input.route, note: input.note });
      return getCorrections(deps, key);
    },
    undoCorrection: async ({ input, tenant, actor, caller }) => {
      await undoCorrection(deps, { actor, caller }, toTaxpayer(tenant), input.correction_id);
      return getCorrections(deps, { ...toTaxpayer(tenant), obligationId: input.obligation_id });
    },
    adjust: async ({ input, tenant, actor, caller }) => {
      const key = { ...toTaxpayer(tenant), obligationId: input.obligation_id };
      const { adjustment_id: adjustmentId, box, amount_pence: amount, reason } = input;
      await addAdjustment(deps, { actor, caller }, key, { adjustmentId, box, amount, reason });
      return getReturnOutput(deps, key, key.obligationId);
    },
    removeAdjustment: async ({ input, tenant, actor, caller }) => {
      const key = { ...toTaxpayer(tenant), obligationId: input.obligation_id };
      await removeAdjustment(deps, { actor, caller }, key, input.adjustment_id);
      return getReturnOutput(deps, key, key.obligationId);
    },
    resolve: async ({ input, tenant, actor, caller }) => {
      await resolveFiling(deps, { actor, caller }, toTaxpayer(tenant), input.obligation_id);
      return getReturnOutput(deps, toTaxpayer(tenant), input.obligation_id);
    },
  };
}
