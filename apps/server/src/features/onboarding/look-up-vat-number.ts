import { createBoundedCache } from '@portal/providers/companies-house/bounded-cache.ts';
import type { VatNumberLookup } from '@portal/providers/hmrc/hmrc-types.ts';
import type { AppDeps } from '../../app-deps.ts';
import { limitAttempts, toNetwork } from '../identity/limit-attempts.ts';

/** The limit in 15 minutes, across all accounts. The limit per user is in the contract. */
const MAX_LOOK_UPS_PER_NETWORK = 120;
const CACHE_OPTIONS = { maxEntries: 1_000, ttlMs: () => 15 * 60_000 };

export type VatNumberLookUp = (vrn: string, ip: string) => Promise<VatNumberLookup | undefined>;

/**
 * Looks up a VAT number for a user who adds a company. Since anyone can sign up and do that, these calls use as little of HMRC's rate limit
 * as possible. The name is read again before an offer is accepted (read-facts.ts).
 */
export function createVatNumberLookUp({ hmrc, clock, wallClock, database: { db } }: AppDeps): VatNumberLookUp {
  const lookupCache = createBoundedCache<VatNumberLookup | undefined>(clock, CACHE_OPTIONS);
  return async (vrn, ip) => {
    await limitAttempts(db, wallClock, { [`vat-number-network:${toNetwork(ip)}`]: MAX_LOOK_UPS_PER_NETWORK });
    return lookupCache.getOrLoad(vrn, () => hmrc.lookupVatNumber(vrn));
  };
}
