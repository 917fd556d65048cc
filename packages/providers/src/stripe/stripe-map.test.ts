import { pence } from '@portal/domain/money.ts';
import { expect, it } from 'vitest';
import { toStripeTiers } from './stripe-map.ts';

it('leaves out a free tier that ends at 0, which Stripe would reject', () => {
  const freeTier = { name: 'Free', from: 0, to: 0, basePence: pence(0), unitPence: pence(0), included: 0 };
  const all = { name: 'Starter', from: 1, to: null, basePence: pence(15_00), unitPence: pence(5_00), included: 0 };
  for (const mode of ['volume', 'graduated'] as const) {
    expect(toStripeTiers({ mode, tiers: [freeTier, all] })).toEqual([{ up_to: 'inf', unit_amount: 5_00, flat_amount: 15_00 }]);
  }
});
