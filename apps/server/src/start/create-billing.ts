import { createStripeClient } from '@portal/providers/stripe/stripe-client.ts';
import type { AppDeps } from '../app-deps.ts';
import type { WatchFetch } from '../features/operations/provider-health.ts';
import type { ProviderSettings } from '../provider-settings.ts';

export function createBilling(settings: ProviderSettings['billing'], watch: WatchFetch): AppDeps['billing'] {
  return settings && { provider: createStripeClient({ ...settings.stripe, fetch: watch('stripe', fetch) }), seller: settings.seller };
}
