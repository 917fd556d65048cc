/** Fictional prices and promotion codes of the sandbox (docs/decisions/0055-pricing.md). */
const tier = (name: string, from: number, to: number | null, base_pence: number, unit_price_pence: number, included: number) => ({
  name,
  from,
  to,
  base_pence,
  unit_price_pence,
  included,
});

const CODE = { months: null, tiers: [], starts_on: '2026-01-01', ends_on: null, max_uses: null };

export const SANDBOX_PRICING = {
  price_list: {
    version: 1,
    mode: 'volume',
    effective_from: '2020-01-01',
    tiers: [
      tier('Free', 0, 10, 0, 0, 10),
      tier('Starter', 11, 50, 15_00, 1_20, 10),
      tier('Practice', 51, 250, 64_00, 90, 50),
      tier('Firm', 251, null, 245_00, 60, 250),
    ],
  },
  promotion_codes: [
    { ...CODE, code: 'WELCOME25', kind: 'percent', value: 25, months: 3 },
    { ...CODE, code: 'FIVEOFF', kind: 'pence', value: 5_00, tiers: ['Starter'] },
    { ...CODE, code: 'TWOMONTHS', kind: 'free_months', value: 2, max_uses: 5 },
    { ...CODE, code: 'SPRING26', kind: 'percent', value: 50, months: 1, starts_on: '2026-03-01', ends_on: '2026-03-31' },
  ],
};
