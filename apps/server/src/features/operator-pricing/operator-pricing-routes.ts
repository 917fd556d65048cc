import type { operatorPricingApi } from '@portal/contract/operator-pricing.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { deleteDraft, listPricing, requestPublication, saveDraft } from './price-list-drafts.ts';
import { endCode, listCodes, requestCode } from './promotion-code-actions.ts';

export function operatorPricingHandlers(deps: AppDeps): Handlers<typeof operatorPricingApi> {
  return {
    lists: () => listPricing(deps),
    saveDraft: (call) => saveDraft(deps, call),
    deleteDraft: (call) => deleteDraft(deps, call),
    requestPublication: (call) => requestPublication(deps, call),
    codes: () => listCodes(deps),
    requestCode: (call) => requestCode(deps, call),
    endCode: (call) => endCode(deps, call),
  };
}
