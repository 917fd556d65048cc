/** The sandbox's price list and promotion codes, for tests and benchmarks. */
import { SANDBOX_PRICING } from '@portal/sandbox/seed/sandbox-pricing.ts';
import { seedSchema } from '../features/sandbox-seed/seed-schema.ts';
import { setUpPricing } from '../features/sandbox-seed/set-up-pricing.ts';
import type { TestPortal } from './open-test-portal.ts';

export async function addPriceList(portal: TestPortal): Promise<void> {
  await setUpPricing(portal.deps, seedSchema.shape.pricing.parse(SANDBOX_PRICING));
}
