/** Fictional prices and promotion codes of the sandbox (docs/decisions/0055-pricing.md). */
const createTier = (name: string, from: number, to: number | null, base_pence: number, unit_price_pence: number, included: number) => ({
  name,
  from,
  to,
  base_pence,
  unit_price_pence,
  included,
});

const CODE_DEFAULTS = { months: null, tiers: [], starts_on: '2026-01-01', ends_on: null, max_uses: null };

export const SANDBOX_PRICING = {
  price_list: {
    version: 1,
    mode: 'volume',
    effective_from: '2020-01-01',
    tiers: [
      createTier('Free', 0, 10, 0, 0, 10),
      createTier('Starter', 11, 50, 15_00, 1_20, 10),
      createTier('Practice', 51, 250, 64_00, 90, 50),
      createTier('Firm', 251, null, 245_00, 60, 250),
    ],
  },
  promotion_codes: [
    { ...CODE_DEFAULTS, code: 'WELCOME25', kind: 'percent', value: 25, months: 3 },
    { ...CODE_DEFAULTS, code: 'FIVEOFF', kind: 'pence', value: 5_00, tiers: ['Starter'] },
    { ...CODE_DEFAULTS, code: 'TWOMONTHS', kind: 'free_months', value: 2, max_uses: 5 },
    { ...CODE_DEFAULTS, code: 'SPRING26', kind: 'percent', value: 50, months: 1, starts_on: '2026-03-01', ends_on: '2026-03-31' },
  ],
};
