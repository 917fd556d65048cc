import type { operatorCompaniesApi } from '@portal/contract/operator-companies.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { requestLimitChange } from './change-limit.ts';
import { getCompany } from './get-company.ts';
import { getExposure, listCompanies } from './list-companies.ts';
import { requestVatNumberMove } from './move-vat-number.ts';

export function operatorCompaniesHandlers(deps: AppDeps): Handlers<typeof operatorCompaniesApi> {
  return {
    list: ({ input }) => listCompanies(deps, input),
    get: ({ input }) => getCompany(deps, input.company_id),
    exposure: () => getExposure(deps),
    changeLimit: (call) => requestLimitChange(deps, call),
    moveVatNumber: (call) => requestVatNumberMove(deps, call),
  };
}
