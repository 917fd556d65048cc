import type { reconciliationExceptionsApi } from '@portal/contract/reconciliation-exceptions.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { requestAccountCreditResolution } from './account-credit-action.ts';
import { requestAllocation } from './allocate-action.ts';
import { checkDirectDebitPayout } from './check-direct-debit-payout.ts';
import { requestCollectionPayoutResolution } from './collection-payout-action.ts';
import { listCompanyCredits } from './company-credit-queries.ts';
import { listDirectDebitPayouts } from './direct-debit-payout-queries.ts';
import { noteException } from './note-exception.ts';
import { requestSurplusPayout } from './pay-surplus-action.ts';
import { listReconciliationExceptions } from './reconciliation-exceptions-queries.ts';
import { requestPayoutResolution } from './resolve-payout-action.ts';
import { requestReturn } from './return-action.ts';

export function reconciliationExceptionsHandlers(deps: AppDeps): Handlers<typeof reconciliationExceptionsApi> {
  return {
    list: ({ input }) => listReconciliationExceptions(deps, input),
    directDebitPayouts: ({ input }) => listDirectDebitPayouts(deps.database.db, input.page),
    checkDirectDebitPayout: (call) => checkDirectDebitPayout(deps, call),
    credits: ({ input }) => listCompanyCredits(deps.database.db, input.company_id),
    allocate: (call) => requestAllocation(deps, call),
    recordReturn: (call) => requestReturn(deps, call),
    paySurplus: (call) => requestSurplusPayout(deps, call),
    resolvePayout: (call) => requestPayoutResolution(deps, call),
    resolveAccountCredit: (call) => requestAccountCreditResolution(deps, call),
    resolveCollectionPayout: (call) => requestCollectionPayoutResolution(deps, call),
    note: (call) => noteException(deps, call),
  };
}
