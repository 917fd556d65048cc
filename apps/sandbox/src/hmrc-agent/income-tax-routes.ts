/** Routes for the income tax calls that the simulator serves. */
import type { FastifyInstance } from 'fastify';
import type { HmrcRoute, RouteAccess } from '../hmrc/gateway.ts';
import type { HmrcContext } from '../hmrc/hmrc-context.ts';
import type { BuildOperationHooks } from '../hmrc/operation-hooks.ts';
import { createDeclarationsOperation, createUpdatesOperation } from './income-tax-obligations.ts';
import { createIncomeTaxHandler, type IncomeTaxOperation } from './income-tax-service.ts';
import { createBalanceOperation, createPaymentsOperation } from './self-assessment-accounts.ts';

export function incomeTaxRoutes(app: FastifyInstance, context: HmrcContext, hooks: BuildOperationHooks): void {
  const addGetRoute = <Query extends object>(name: string, path: string, operation: IncomeTaxOperation<Query>): void => {
    const access: RouteAccess = { kind: 'user', scope: 'read:self-assessment' };
    app.get<HmrcRoute>(path, hooks({ name, access }), createIncomeTaxHandler(context, operation));
  };
  const accounts = '/accounts/self-assessment/:nino';
  const obligations = '/obligations/details/:nino';
  addGetRoute('hmrc.sa_balance', `${accounts}/balance-and-transactions`, createBalanceOperation(context));
  addGetRoute('hmrc.sa_payments', `${accounts}/payments-and-allocations`, createPaymentsOperation());
  addGetRoute('hmrc.sa_updates', `${obligations}/income-and-expenditure`, createUpdatesOperation(context));
  addGetRoute('hmrc.sa_declarations', `${obligations}/crystallisation`, createDeclarationsOperation(context));
}
