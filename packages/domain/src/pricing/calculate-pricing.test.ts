/** Cases calculated by hand, each group with its source; then properties over random price lists. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toInstant, type Instant } from '../clock.ts';
import { pence } from '../money.ts';
import { addDays, getDaysInMonth, plainDate, toDateParts, type PlainDate } from '../plain-date.ts';
import { calculatePricing, type Discount, type PricingInput } from './calculate-pricing.ts';
import { findPriceList, getTier, validatePriceList, type PriceList, type PriceTier } from './price-list.ts';

const TODAY = plainDate('2026-11-24');

type TierRow = readonly [name: string, from: number, to: number | null, base: number, unit: number, included: number];
const toTiers = (rows: readonly TierRow[]): PriceTier[] =>
  rows.map(([name, from, to, base, unit, included]) => ({ name, from, to, basePence: pence(base), unitPence: pence(unit), included }));

const VOLUME_TIERS = toTiers([
  ['Free', 0, 10, 0, 0, 10],
  ['Starter', 11, 50, 15_00, 1_20, 10],
  ['Practice', 51, 250, 64_00, 90, 50],
  ['Firm', 251, null, 245_00, 60, 250],
]);
/** docs.stripe.com/subscriptions/pricing-models/tiered-pricing: fonts at 7, 6.50 and 6. */
const FONTS = toTiers([
  ['1 to 5', 1, 5, 0, 7_00, 0],
  ['6 to 10', 6, 10, 0, 6_50, 0],
  ['11 and more', 11, null, 0, 6_00, 0],
]);
/** stripe.com/docs/billing/subscriptions/tiers: 5, 4, 3, 2 and 1. */
const FALLING_PRICES = toTiers([
  ['1', 1, 5, 0, 5_00, 0],
  ['2', 6, 10, 0, 4_00, 0],
  ['3', 11, 15, 0, 3_00, 0],
  ['4', 16, 20, 0, 2_00, 0],
  ['5', 21, null, 0, 1_00, 0],
]);
const WITH_BASES = toTiers([
  ['Free', 0, 10, 0, 0, 0],
  ['A', 11, 20, 10_00, 50, 0],
  ['B', 21, null, 5_00, 25, 5],
]);

const calculatePrice = (
  tiers: readonly PriceTier[],
  connections: number,
  other: Partial<PricingInput> & { mode?: PriceList['mode'] } = {},
) =>
  calculatePricing({
    list: { mode: other.mode ?? 'volume', tiers },
    connections,
    discount: null,
    today: TODAY,
    subscribedOn: TODAY,
    change: null,
    ...other,
  });

describe('the price of a month', () => {
  it.each([
    // The sandbox's tiers: base price plus the connections beyond the included ones; 20% VAT (Value Added Tax Act 1994 section 2(1)).
    [0, 'Free', 0, 0, 0],
    [1, 'Free', 0, 0, 0],
    [10, 'Free', 0, 0, 0],
    [11, 'Starter', 16_20, 3_24, 19_44],
    [12, 'Starter', 17_40, 3_48, 20_88],
    [30, 'Starter', 39_00, 7_80, 46_80],
    [50, 'Starter', 63_00, 12_60, 75_60],
    [51, 'Practice', 64_90, 12_98, 77_88],
    [100, 'Practice', 109_00, 21_80, 130_80],
    [249, 'Practice', 243_10, 48_62, 291_72],
    [250, 'Practice', 244_00, 48_80, 292_80],
    [251, 'Firm', 245_60, 49_12, 294_72],
    [1_000, 'Firm', 695_00, 139_00, 834_00],
    [10_000, 'Firm', 6_095_00, 1_219_00, 7_314_00],
    [100_000, 'Firm', 60_095_00, 12_019_00, 72_114_00],
  ])('of %i connections is in %s', (connections, tier, net, vat, total) => {
    const pricing = calculatePrice(VOLUME_TIERS, connections);
    expect([pricing.tier.name, pricing.netPence, pricing.vatPence, pricing.totalPence]).toEqual([tier, net, vat, total]);
  });

  it.each([
    // docs.stripe.com, Set up tiered pricing: the tables of both models.
    ['volume', FONTS, 1, 7_00],
    ['volume', FONTS, 5, 35_00],
    ['volume', FONTS, 6, 39_00],
    ['volume', FONTS, 10, 65_00],
    ['volume', FONTS, 11, 66_00],
    ['volume', FONTS, 20, 120_00],
    ['volume', FONTS, 25, 150_00],
    ['graduated', FONTS, 1, 7_00],
    ['graduated', FONTS, 5, 35_00],
    ['graduated', FONTS, 6, 41_50],
    ['graduated', FONTS, 10, 67_50],
    ['graduated', FONTS, 11, 73_50],
    ['graduated', FONTS, 20, 127_50],
    ['graduated', FONTS, 25, 157_50],
    // stripe.com/docs/billing/subscriptions/tiers: a volume price can fall at a boundary.
    ['volume', FALLING_PRICES, 5, 25_00],
    ['volume', FALLING_PRICES, 6, 24_00],
    ['volume', FALLING_PRICES, 10, 40_00],
    ['volume', FALLING_PRICES, 11, 33_00],
    ['volume', FALLING_PRICES, 20, 40_00],
    ['volume', FALLING_PRICES, 25, 25_00],
    ['graduated', FALLING_PRICES, 5, 25_00],
    ['graduated', FALLING_PRICES, 6, 29_00],
    ['graduated', FALLING_PRICES, 11, 48_00],
    ['graduated', FALLING_PRICES, 20, 70_00],
    ['graduated', FALLING_PRICES, 25, 75_00],
    // Graduated with a base price: each tier reached adds its own (flat_amount), and its included connections are its first ones.
    ['graduated', WITH_BASES, 10, 0],
    ['graduated', WITH_BASES, 11, 10_50],
    ['graduated', WITH_BASES, 20, 15_00],
    ['graduated', WITH_BASES, 21, 20_00],
    ['graduated', WITH_BASES, 25, 20_00],
    ['graduated', WITH_BASES, 26, 20_25],
  ] as const)('follows Stripe’s %s tiers', (mode, tiers, connections, net) => {
    expect(calculatePrice(tiers, connections, { mode }).netPence).toBe(net);
  });

  it.each<[number, Discount, number, number, number]>([
    // Percentages are rounded once, half away from zero; VAT is rounded once, on the remainder.
    [30, { kind: 'percent', percent: 10 }, 35_10, 7_02, 42_12],
    [30, { kind: 'percent', percent: 15 }, 33_15, 6_63, 39_78],
    [30, { kind: 'percent', percent: 33 }, 26_13, 5_23, 31_36],
    [30, { kind: 'percent', percent: 100 }, 0, 0, 0],
    [11, { kind: 'percent', percent: 33 }, 10_85, 2_17, 13_02],
    [11, { kind: 'percent', percent: 5 }, 15_39, 3_08, 18_47],
    [51, { kind: 'percent', percent: 15 }, 55_16, 11_03, 66_19],
    [10, { kind: 'percent', percent: 50 }, 0, 0, 0],
    [30, { kind: 'pence', pence: pence(5_00) }, 34_00, 6_80, 40_80],
    [30, { kind: 'pence', pence: pence(1) }, 38_99, 7_80, 46_79],
    [30, { kind: 'pence', pence: pence(39_00) }, 0, 0, 0],
    [30, { kind: 'pence', pence: pence(100_00) }, 0, 0, 0],
  ])('of %i connections with the discount %o', (connections, discount, net, vat, total) => {
    const pricing = calculatePrice(VOLUME_TIERS, connections, { discount });
    expect([pricing.netPence, pricing.vatPence, pricing.totalPence]).toEqual([net, vat, total]);
  });
});

describe('the next renewal', () => {
  it.each([
    // docs.stripe.com/billing/subscriptions/billing-cycle: the last day of a month that lacks that day, then the original day again.
    ['2026-11-24', '2026-11-24', '2026-12-24'],
    ['2027-01-31', '2027-01-31', '2027-02-28'],
    ['2028-01-31', '2028-01-31', '2028-02-29'],
    ['2028-01-31', '2028-02-28', '2028-02-29'],
    ['2028-01-31', '2028-02-29', '2028-03-31'],
    ['2027-01-31', '2027-02-28', '2027-03-31'],
    ['2027-01-31', '2027-03-31', '2027-04-30'],
    ['2028-02-29', '2028-02-29', '2028-03-29'],
    ['2028-02-29', '2029-02-27', '2029-02-28'],
    ['2026-08-31', '2026-09-15', '2026-09-30'],
    ['2026-12-15', '2027-01-15', '2027-02-15'],
  ])('of a subscription of %s, seen on %s, is on %s', (subscribedOn, today, renewsOn) => {
    expect(calculatePrice(VOLUME_TIERS, 30, { subscribedOn: plainDate(subscribedOn), today: plainDate(today) }).renewsOn).toBe(renewsOn);
  });
});

describe('a change within a period', () => {
  const HALF_OFF_TENTH: Discount = { kind: 'percent', percent: 10 };
  it.each<[string, string, string, string, number, number, Discount | null, number, number, number]>([
    // docs.stripe.com/billing/subscriptions/prorations: a credit for unused time and a charge for the rest, to the second.
    ['half of 30 days', '2026-04-01', '2026-05-01', '2026-04-16T00:00:00Z', 39_00, 50, null, -19_50, 31_50, 2_40],
    ['at the start', '2026-04-01', '2026-05-01', '2026-04-01T00:00:00Z', 39_00, 50, null, -39_00, 63_00, 4_80],
    ['at the end', '2026-04-01', '2026-05-01', '2026-05-01T00:00:00Z', 39_00, 50, null, 0, 0, 0],
    ['a second before', '2026-04-01', '2026-05-01', '2026-04-30T23:59:59Z', 39_00, 50, null, 0, 0, 0],
    ['half of a leap February', '2028-02-01', '2028-03-01', '2028-02-15T12:00:00Z', 39_00, 50, null, -19_50, 31_50, 2_40],
    ['half of February', '2027-02-01', '2027-03-01', '2027-02-15T00:00:00Z', 39_00, 50, null, -19_50, 31_50, 2_40],
    ['half of a period from a month’s end', '2027-01-31', '2027-02-28', '2027-02-14T00:00:00Z', 39_00, 50, null, -19_50, 31_50, 2_40],
    ['21 of 31 days', '2026-01-01', '2026-02-01', '2026-01-11T00:00:00Z', 39_00, 50, null, -26_42, 42_68, 3_25],
    ['fewer connections', '2026-04-01', '2026-05-01', '2026-04-16T00:00:00Z', 63_00, 30, null, -31_50, 19_50, -2_40],
    ['back to the free tier', '2026-04-01', '2026-05-01', '2026-04-16T00:00:00Z', 39_00, 10, null, -19_50, 0, -3_90],
    // Stripe's flexible billing credits the amount charged, after its discount.
    ['with a discount', '2026-04-01', '2026-05-01', '2026-04-16T00:00:00Z', 35_10, 50, HALF_OFF_TENTH, -17_55, 28_35, 2_16],
    ['half a penny', '2026-04-01', '2026-05-01', '2026-04-16T00:00:00Z', 10_85, 11, null, -5_43, 8_10, 53],
  ])('costs its proportion: %s', (_case, start, end, at, charged, connections, discount, credit, charge, vat) => {
    const toMidnight = (day: string): Instant => toInstant(Date.parse(`${day}T00:00:00Z`));
    const change = {
      periodStart: toMidnight(start),
      periodEnd: toMidnight(end),
      at: toInstant(Date.parse(at)),
      chargedPence: pence(charged),
    };
    expect(calculatePrice(VOLUME_TIERS, connections, { discount, change }).proration).toEqual({
      creditPence: credit,
      chargePence: charge,
      netPence: credit + charge,
      vatPence: vat,
      totalPence: credit + charge + vat,
    });
  });

  it('rejects a moment outside the period', () => {
    const change = {
      periodStart: toInstant(0),
      periodEnd: toInstant(86_400_000),
      at: toInstant(86_401_000),
      chargedPence: pence(100),
    };
    expect(() => calculatePrice(VOLUME_TIERS, 30, { change })).toThrow(RangeError);
  });
});

/** Valid volume price lists: a free tier, then up to five paid ones whose base covers the included connections. */
const volumeTiers = fc
  .array(
    fc.record({
      size: fc.integer({ min: 1, max: 400 }),
      unit: fc.integer({ min: 0, max: 200 }),
      included: fc.nat(500),
      extra: fc.nat(2_000),
    }),
    { minLength: 1, maxLength: 5 },
  )
  .map((rows) => {
    const tiers: TierRow[] = [['Free', 0, 10, 0, 0, 10]];
    let from = 11;
    for (const [index, { size, unit, included, extra }] of rows.entries()) {
      const covered = Math.min(included, from);
      const to = index === rows.length - 1 ? null : from + size - 1;
      tiers.push([`Tier ${index}`, from, to, (covered * unit + extra) * 5, unit * 5, covered]);
      from += size;
    }
    return toTiers(tiers);
  });
const discounts = fc.oneof(
  fc.constant(null),
  fc.integer({ min: 1, max: 100 }).map((percent): Discount => ({ kind: 'percent', percent })),
  fc.integer({ min: 1, max: 100_000 }).map((discountPence): Discount => ({ kind: 'pence', pence: pence(discountPence) })),
);
const quantities = fc.nat(3_000);
const days = fc.nat(5_000).map((after): PlainDate => addDays(plainDate('2026-01-01'), after));

describe('any price list', () => {
  it('can be sold at Stripe: a volume price is flat_amount + unit_amount x quantity, neither negative', () => {
    fc.assert(
      fc.property(volumeTiers, quantities, (tiers, connections) => {
        const tier = getTier({ tiers }, connections);
        const flatPence = tier.basePence - (tier.unitPence === 0 ? 0 : tier.included * tier.unitPence);
        expect(flatPence).toBeGreaterThanOrEqual(0);
        expect(calculatePrice(tiers, connections).netPence).toBe(flatPence + tier.unitPence * connections);
      }),
    );
  });

  it('has whole pennies of VAT by line and by invoice without a discount', () => {
    fc.assert(
      fc.property(volumeTiers, quantities, fc.constantFrom('volume' as const, 'graduated' as const), (tiers, connections, mode) => {
        const { basePence, connectionsPence, vatPence, netPence } = calculatePrice(tiers, connections, { mode });
        expect(vatPence * 5).toBe(netPence);
        expect(basePence / 5 + connectionsPence / 5).toBe(vatPence);
      }),
    );
  });

  it('never costs less for more connections when it is graduated', () => {
    fc.assert(
      fc.property(volumeTiers, quantities, (tiers, connections) => {
        const [now, more] = [connections, connections + 1].map((count) => calculatePrice(tiers, count, { mode: 'graduated' }).netPence);
        expect(more).toBeGreaterThanOrEqual(now ?? 0);
      }),
    );
  });

  it('adds up, and a discount never turns the price negative', () => {
    fc.assert(
      fc.property(volumeTiers, quantities, discounts, (tiers, connections, discount) => {
        const pricing = calculatePrice(tiers, connections, { discount });
        expect(pricing.netPence).toBe(pricing.basePence + pricing.connectionsPence + pricing.discountPence);
        expect(pricing.totalPence).toBe(pricing.netPence + pricing.vatPence);
        expect(pricing.discountPence).toBeLessThanOrEqual(0);
        expect(pricing.netPence).toBeGreaterThanOrEqual(0);
        expect(Math.abs(pricing.vatPence * 5 - pricing.netPence)).toBeLessThanOrEqual(2);
      }),
    );
  });

  it('costs nothing to change to the same connections, at any second', () => {
    fc.assert(
      fc.property(volumeTiers, quantities, discounts, fc.nat(2_592_000), (tiers, connections, discount, second) => {
        const chargedPence = calculatePrice(tiers, connections, { discount }).netPence;
        const change = { periodStart: toInstant(0), periodEnd: toInstant(2_592_000_000), at: toInstant(second * 1000), chargedPence };
        expect(calculatePrice(tiers, connections, { discount, change }).proration).toMatchObject({
          netPence: 0,
          vatPence: 0,
          totalPence: 0,
        });
      }),
    );
  });

  it('renews after today, within a month, on the day of the subscription or the month’s last', () => {
    fc.assert(
      fc.property(days, fc.nat(2_000), (subscribedOn, daysLater) => {
        const today = addDays(subscribedOn, daysLater);
        const { renewsOn } = calculatePrice(VOLUME_TIERS, 1, { subscribedOn, today });
        const { year, month, day } = toDateParts(renewsOn);
        expect(renewsOn > today && renewsOn <= addDays(today, 31)).toBe(true);
        expect(day).toBe(Math.min(toDateParts(subscribedOn).day, getDaysInMonth(year, month)));
      }),
    );
  });
});

describe('which price list applies', () => {
  const list = (version: number, from: string, existing: string | null): PriceList => ({
    version,
    mode: 'volume',
    publishedOn: plainDate('2026-01-01'),
    effectiveFrom: plainDate(from),
    existingFrom: existing === null ? null : plainDate(existing),
    tiers: VOLUME_TIERS,
  });
  const lists = [list(1, '2026-01-01', null), list(2, '2026-06-01', '2026-08-01'), list(3, '2026-09-01', null)];
  it.each([
    ['a new customer before any list', '2025-12-31', null, undefined],
    ['a new customer of the first list', '2026-05-31', null, 1],
    ['a new customer on the first day of the second', '2026-06-01', null, 2],
    ['an existing customer before the notice ends', '2026-07-31', '2026-03-01', 1],
    ['an existing customer after the notice', '2026-08-01', '2026-03-01', 2],
    ['an existing customer of the second list, whom the third never reaches', '2027-01-01', '2026-07-01', 2],
    ['a customer of the third list, who isn’t moved back', '2027-01-01', '2026-09-01', 3],
  ])('to %s', (_who, today, subscribedOn, version) => {
    const foundList = findPriceList(lists, plainDate(today), subscribedOn === null ? null : plainDate(subscribedOn));
    expect(foundList?.version).toBe(version);
  });

  it.each<[string, Partial<PriceList>, RegExp]>([
    ['59 days of notice', { existingFrom: plainDate('2026-03-01') }, /60 days/],
    ['an effect before publication', { effectiveFrom: plainDate('2025-12-31') }, /before it’s published/],
    ['no tiers', { tiers: [] }, /Add a tier/],
    [
      'a gap',
      {
        tiers: toTiers([
          ['Free', 0, 10, 0, 0, 0],
          ['A', 12, null, 5, 5, 0],
        ]),
      },
      /right after/,
    ],
    [
      'an open end in the middle',
      {
        tiers: toTiers([
          ['Free', 0, null, 0, 0, 0],
          ['A', 11, null, 5, 5, 0],
        ]),
      },
      /right after/,
    ],
    ['an end of the last tier', { tiers: toTiers([['Free', 0, 10, 0, 0, 0]]) }, /no upper limit/],
    [
      'a price that isn’t a multiple of 5p',
      {
        tiers: toTiers([
          ['Free', 0, 10, 0, 0, 0],
          ['A', 11, null, 0, 99, 0],
        ]),
      },
      /multiples of 5p/,
    ],
    ['a first tier that costs', { tiers: toTiers([['A', 0, null, 0, 5, 0]]) }, /free/],
    [
      'two tiers of one name',
      {
        tiers: toTiers([
          ['Free', 0, 10, 0, 0, 0],
          ['FREE', 11, null, 5, 5, 0],
        ]),
      },
      /own name/,
    ],
    [
      'more included than the base covers',
      {
        tiers: toTiers([
          ['Free', 0, 10, 0, 0, 0],
          ['A', 11, null, 45, 5, 10],
        ]),
      },
      /less than the price of its 10 included/,
    ],
  ])('is rejected with %s', (_case, change, problem) => {
    expect(validatePriceList(list(1, '2026-01-01', null))).toEqual([]);
    expect(validatePriceList({ ...list(1, '2026-01-01', null), ...change }).join(' ')).toMatch(problem);
  });
});
