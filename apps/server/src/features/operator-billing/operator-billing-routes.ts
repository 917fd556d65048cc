import type { operatorBillingApi } from '@portal/contract/operator-billing.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { getRevenue } from './get-revenue.ts';
import { getInvoice, listInvoices, listRefunds } from './list-invoices.ts';
import { listSubscriptions } from './list-subscriptions.ts';
import { requestRefund, retryRefund } from './refund-action.ts';
import { requestWriteOff } from './write-off-action.ts';
import { requestTransfer } from './transfer-action.ts';

export function operatorBillingHandlers(deps: AppDeps): Handlers<typeof operatorBillingApi> {
  return {
    subscriptions: ({ input }) => listSubscriptions(deps, input),
    revenue: ({ input }) => getRevenue(deps, input.months),
    invoices: ({ input }) => listInvoices(deps, input),
    invoice: ({ input }) => getInvoice(deps, input),
    requestRefund: (call) => requestRefund(deps, call),
    refunds: ({ input }) => listRefunds(deps, input.page),
    retryRefund: (call) => retryRefund(deps, call),
    requestWriteOff: (call) => requestWriteOff(deps, call),
    requestTransfer: (call) => requestTransfer(deps, call),
  };
}
