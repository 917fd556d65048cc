/** The income tax calls that the double answers, by their paths. */
import type { ApiRoute } from '../hmrc/gateway.ts';
import type { HmrcContext } from '../hmrc/hmrc-context.ts';
import { declarationsOperation, updatesOperation } from './income-tax-obligations.ts';
import { serveIncomeTax } from './income-tax-service.ts';
import { balanceOperation, paymentsOperation } from './self-assessment-accounts.ts';

export function incomeTaxRoutes(context: HmrcContext): ApiRoute[] {
  const get = (operation: string, path: string, answer: ApiRoute['answer']): ApiRoute => ({
    operation,
    method: 'GET',
    path,
    access: { kind: 'user', scope: 'read:self-assessment' },
    answer,
  });
  const accounts = '/accounts/self-assessment/:nino';
  const obligations = '/obligations/details/:nino';
  return [
    get('hmrc.sa_balance', `${accounts}/balance-and-transactions`, serveIncomeTax(context, balanceOperation(context))),
    get('hmrc.sa_payments', `${accounts}/payments-and-allocations`, serveIncomeTax(context, paymentsOperation())),
    get('hmrc.sa_updates', `${obligations}/income-and-expenditure`, serveIncomeTax(context, updatesOperation(context))),
    get('hmrc.sa_declarations', `${obligations}/crystallisation`, serveIncomeTax(context, declarationsOperation(context))),
  ];
}
