import type { reconciliationExceptionsApi } from '@portal/contract/reconciliation-exceptions.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { listReconciliationExceptions } from './reconciliation-exception-queries.ts';
import { matchCredit, noteMatter, recordReturn } from './resolve-exceptions.ts';

export function reconciliationExceptionsHandlers(deps: AppDeps): Handlers<typeof reconciliationExceptionsApi> {
  return {
    list: () => listReconciliationExceptions(deps),
    match: (call) => matchCredit(deps, call),
    recordReturn: (call) => recordReturn(deps, call),
    note: (call) => noteMatter(deps, call),
  };
}
