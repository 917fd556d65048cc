import type { billingApi } from '@portal/contract/billing.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { preparePracticePrices } from '../pricing/practice-prices.ts';
import { findSubscriptionView, getBilling, getNotices, listInvoices } from './billing-queries.ts';
import { applyCode, changeConnections, retryPayment, setEnding, type ChangeRequester } from './order-change.ts';
import { subscribe } from './order-subscription.ts';
import { openPortal, readPaymentMethod, saveDetails, startPaymentMethod, toWireMethod } from './payment-method.ts';

type PracticeCall = {
  readonly tenant: { readonly practiceId: string };
  readonly actor: { readonly userId: string };
  readonly caller: { readonly ip: string };
};

const toChangeRequester = ({ tenant, actor, caller }: PracticeCall): ChangeRequester => ({
  companyId: tenant.practiceId,
  userId: actor.userId,
  ip: caller.ip,
});

export function billingHandlers(deps: AppDeps): Handlers<typeof billingApi> {
  const getPrices = preparePracticePrices(deps);
  const afterChange = async (call: PracticeCall, change: (orderer: ChangeRequester) => Promise<void>) => {
    await change(toChangeRequester(call));
    return { subscription: await findSubscriptionView(deps, call.tenant.practiceId) };
  };
  return {
    get: ({ tenant }) => getBilling(deps, tenant.practiceId),
    notice: ({ tenant }) => getNotices(deps, tenant.practiceId),
    saveDetails: async (call) => {
      await saveDetails(deps, call);
      return { done: true };
    },
    startPaymentMethod: (call) => startPaymentMethod(deps, call),
    readPaymentMethod: async ({ tenant }) => ({ payment_method: toWireMethod(await readPaymentMethod(deps, tenant.practiceId)) }),
    subscribe: (call) => subscribe(deps, getPrices, call),
    change: (call) => afterChange(call, (orderer) => changeConnections(deps, getPrices, orderer, call.input.expected_total_pence)),
    applyCode: (call) => afterChange(call, (orderer) => applyCode(deps, getPrices, orderer, call.input.promotion_code)),
    cancel: (call) => afterChange(call, (orderer) => setEnding(deps, orderer, true)),
    resume: (call) => afterChange(call, (orderer) => setEnding(deps, orderer, false)),
    pay: (call) => afterChange(call, (orderer) => retryPayment(deps, orderer)),
    portal: ({ tenant }) => openPortal(deps, tenant.practiceId),
    invoices: ({ tenant }) => listInvoices(deps, tenant.practiceId),
  };
}
