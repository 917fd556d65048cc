import type { pricingApi } from '@portal/contract/pricing.ts';
import type { AppDeps } from '../../app-deps.ts';
import type { Handlers } from '../../http/serve-contract.ts';
import { calculatePrice } from './calculate-price.ts';
import { listConnections } from './connection-queries.ts';
import { preparePracticePrices } from './practice-prices.ts';
import { getCurrentTier, getTiers } from './pricing-queries.ts';
import { selectConnections } from './select-connections.ts';

export function pricingHandlers(deps: AppDeps): Handlers<typeof pricingApi> {
  const getPrices = preparePracticePrices(deps);
  return {
    connections: (call) => listConnections(deps, call),
    select: (call) => selectConnections(deps, call),
    tiers: () => getTiers(deps),
    currentTier: (call) => getCurrentTier(getPrices, call),
    calculate: (call) => calculatePrice(deps, getPrices, call),
  };
}
