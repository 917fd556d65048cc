import type { shortfallsApi } from '@portal/contract/shortfalls.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { retryDirectDebit } from '../direct-debits/retry-direct-debit.ts';
import { startMandate } from '../direct-debits/start-mandate.ts';
import { answerDispute, assignShortfall, claimShortfall, closeShortfall, requestWriteOff } from './operator-actions.ts';
import { findTraderShortfall, getLetter, getOperatorShortfall } from './shortfalls-queries.ts';
import { listShortfalls } from './list-shortfalls.ts';
import { agreeOnPlan, disputeShortfall } from './trader-actions.ts';

type OperatorInput = { readonly company_id: string; readonly shortfall_id: string };

export function shortfallsHandlers(deps: AppDeps): Handlers<typeof shortfallsApi> {
  const { db } = deps.database;
  const get = ({ company_id, shortfall_id }: OperatorInput) => getOperatorShortfall(deps, company_id, shortfall_id);
  return {
    find: async ({ input, tenant }) => ({ shortfall: await findTraderShortfall(deps, tenant.companyId, input.advance_id) }),
    letter: ({ input, tenant }) => getLetter(db, tenant.companyId, input.letter_id),
    planInstalments: async ({ input, tenant, ...person }) => {
      await agreeOnPlan(deps, person, { companyId: tenant.companyId, shortfallId: input.shortfall_id, count: input.count });
      return { done: true };
    },
    dispute: async ({ input, tenant, ...person }) => {
      await disputeShortfall(deps, person, { companyId: tenant.companyId, shortfallId: input.shortfall_id, reason: input.reason });
      return { done: true };
    },
    startMandate: ({ input, tenant, ...person }) => startMandate(deps, person, tenant.companyId, input.obligation_id),
    operatorList: ({ input, actor }) => listShortfalls(deps, actor.userId, input),
    operatorGet: ({ input }) => get(input),
    assign: async (call) => {
      await assignShortfall(deps, call);
      return get(call.input);
    },
    claim: async (call) => {
      await claimShortfall(deps, call);
      return get(call.input);
    },
    close: async (call) => {
      await closeShortfall(deps, call);
      return get(call.input);
    },
    answerDispute: async (call) => {
      await answerDispute(deps, call);
      return get(call.input);
    },
    retryDirectDebit: async (call) => {
      await retryDirectDebit(deps, call);
      return get(call.input);
    },
    requestWriteOff: async (call) => requestWriteOff(deps, call, (await get(call.input)).company.name),
  };
}
