import type { operatorMattersApi } from '@portal/contract/operator-matters.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { listOpenMatters } from './open-matters.ts';
import { matchCredit, noteMatter, recordReturn } from './work-matters.ts';

export function operatorMattersHandlers(deps: AppDeps): Handlers<typeof operatorMattersApi> {
  return {
    list: () => listOpenMatters(deps),
    match: (call) => matchCredit(deps, call),
    recordReturn: (call) => recordReturn(deps, call),
    note: (call) => noteMatter(deps, call),
  };
}
