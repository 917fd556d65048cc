/** The public price list. */
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import type { pricingApi } from '@portal/contract/pricing.ts';
import type { PriceList } from '@portal/domain/pricing/price-list.ts';
import { useEffect, useState } from 'react';
import { PORTAL_BASE } from '../lib/settings.ts';

/** A plain path, because the endpoint's schemas would be larger than the page. */
const PRICES_PATH = `${PORTAL_BASE}/open-tax/tire-pricing-data`;

export type PublicPrices = Pick<PriceList, 'mode' | 'tiers'>;

export function usePriceList(): { state: PublicPrices | 'loading' | 'failed'; retry: () => void } {
  const [state, setState] = useState<PublicPrices | 'loading' | 'failed'>('loading');
  useEffect(() => {
    if (state === 'loading') void fetchPrices().then(setState, () => setState('failed'));
  }, [state]);
  return { state, retry: () => setState('loading') };
}

async function fetchPrices(): Promise<PublicPrices> {
  const response = await fetch(PRICES_PATH);
  if (!response.ok) throw new Error(`prices: ${response.status}`);
  const { mode, tiers } = (await response.json()) as EndpointOutput<typeof pricingApi.tiers>;
  return {
    mode,
    tiers: tiers.map(({ base_pence: basePence, unit_price_pence: unitPence, ...tier }) => ({ ...tier, basePence, unitPence })),
  };
}
