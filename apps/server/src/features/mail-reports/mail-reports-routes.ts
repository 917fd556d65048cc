import type { mailReportsApi } from '@portal/contract/mail-reports.ts';
import { hasPracticeRight } from '@portal/contract/practice-rights.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { retryAddress } from './retry-address.ts';
import { listUndeliverableAddresses } from './undeliverable-queries.ts';

export function mailReportsHandlers(deps: AppDeps): Handlers<typeof mailReportsApi> {
  const { db } = deps.database;
  return {
    list: ({ input, tenant, actor }) =>
      listUndeliverableAddresses(db, tenant.practiceId, actor, { cursor: input.cursor, limit: input.limit }),
    ofClient: async ({ tenant, actor }) => {
      const { role, permissions = [] } = actor;
      const isColleague = role === 'practice_admin' || role === 'team_member';
      const { addresses } = await listUndeliverableAddresses(db, tenant.practiceId, actor, { clientId: tenant.clientId });
      return {
        addresses,
        may_retry: isColleague && hasPracticeRight('practice.messages', role, permissions),
      };
    },
    retry: (call) => retryAddress(deps, call),
  };
}
