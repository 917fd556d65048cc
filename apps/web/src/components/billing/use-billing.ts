import { billingApi } from '@portal/contract/billing.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { pricingApi } from '@portal/contract/pricing.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api.ts';

export type Billing = EndpointOutput<typeof billingApi.get>;
export type Subscription = NonNullable<Billing['subscription']>;

/** How often to check whether Stripe has confirmed an order. */
const POLL_MS = 3_000;

export function useBilling(companyId: string) {
  return useQuery({
    ...apiQuery(billingApi.get, { company_id: companyId }),
    enabled: companyId !== '',
    refetchInterval: ({ state }) => (state.data?.subscription?.status === 'starting' ? POLL_MS : false),
  });
}

/** Refetches everything that a change to the subscription affects. */
export function useRefreshBilling(): () => Promise<unknown> {
  const queryClient = useQueryClient();
  const paths = [billingApi.get.path, billingApi.invoices.path, pricingApi.calculate.path, pricingApi.currentTier.path];
  return () => Promise.all(paths.map((path) => queryClient.invalidateQueries({ queryKey: [path] })));
}

/** Returns true if there is a subscription that hasn't ended. */
export function isSubscribed(billing: Billing): boolean {
  return billing.subscription !== null && billing.subscription.status !== 'ended';
}
