/**
 * Compares the portal's calculation with Stripe's invoice preview for random prices, over HTTP. The two implementations were written from
 * different sources.
 */
import { toInstant } from '@portal/domain/clock.ts';
import { pence, ZERO } from '@portal/domain/money.ts';
import { plainDate } from '@portal/domain/plain-date.ts';
import { calculatePricing, VAT_RATE_BPS, type Discount, type Pricing } from '@portal/domain/pricing/calculate-pricing.ts';
import { validatePriceList, type PriceList, type PriceTier } from '@portal/domain/pricing/price-list.ts';
import type { BillingProvider, InvoicePreview } from '@portal/providers/stripe/stripe-port.ts';

/** Returns a number from 0 up to, but not including, `upperBound`. The same seed repeats the sequence (mulberry32). */
export type Random = (upperBound: number) => number;
export function createRandom(seed: number): Random {
  let state = seed;
  return (upperBound) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixedState = Math.imul(state ^ (state >>> 15), 1 | state);
    mixedState = (mixedState + Math.imul(mixedState ^ (mixedState >>> 7), 61 | mixedState)) ^ mixedState;
    return Math.floor((((mixedState ^ (mixedState >>> 14)) >>> 0) / 4_294_967_296) * upperBound);
  };
}

/** Includes starts on the 29th to 31st, and periods that span 28 February in leap and non-leap years. */
const START_TIMES = [
  '2028-01-31T09:00:00Z',
  '2028-02-29T23:59:59Z',
  '2027-01-29T00:00:00Z',
  '2026-03-31T12:34:56Z',
  '2026-10-25T00:30:00Z',
];

export type ComparisonResult = { readonly cases: number; readonly changes: number; readonly differences: readonly string[] };

type ComparisonOptions = {
  readonly provider: BillingProvider;
  readonly random: Random;
  readonly cases: number;
  /** The version given to the first price list. */
  readonly version: number;
  /** Moves the provider's clock. Without it, subscriptions start now, because Stripe's clock can't be moved. */
  readonly setNow?: (at: number) => void;
  /** Gives a customer a payment method that pays. The simulator previews changes without one. */
  readonly addMethod?: (customerId: string) => Promise<void>;
};

/** Each list is tested with a dozen numbers of connections, and each subscription with a few changes. */
const CASES_PER_LIST = 12;

export async function comparePrices({ random, cases, version, ...options }: ComparisonOptions): Promise<ComparisonResult> {
  const { provider } = options;
  const differences: string[] = [];
  const taxRateId = await provider.ensureVatRate(VAT_RATE_BPS);
  let changes = 0;
  for (let caseCount = 0; caseCount < cases;) {
    const list = createRandomPriceList(random, version + caseCount);
    const priceId = await provider.ensurePrice(list);
    const start = Date.parse(START_TIMES[random(START_TIMES.length)] ?? '') + random(20) * 86_400_000;
    for (let index = 0; index < CASES_PER_LIST && caseCount < cases; index += 1, caseCount += 1) {
      const discount = createRandomDiscount(random);
      const couponId = discount === null ? undefined : await provider.ensureCoupon({ discount, months: null });
      const connections = createRandomConnections(random, list);
      const isChange = index % 3 === 0;
      const problem = isChange
        ? await compareChange({ ...options, random, list, discount }, { priceId, taxRateId, couponId, connections, start })
        : await compareMonth(provider, { list, discount, priceId, taxRateId, couponId, connections });
      if (isChange) changes += 1;
      if (problem !== undefined) differences.push(problem);
    }
  }
  return { cases, changes, differences };
}

type PriceCase = {
  readonly list: PriceList;
  readonly discount: Discount | null;
  readonly priceId: string;
  readonly taxRateId: string;
  readonly couponId: string | undefined;
  readonly connections: number;
};

const DATE = plainDate('2026-11-10');

async function compareMonth(provider: BillingProvider, { list, discount, connections, ...order }: PriceCase): Promise<string | undefined> {
  const ownPricing = calculatePricing({ list, connections, discount, today: DATE, subscribedOn: DATE, change: null });
  const providerPreview = await provider.previewInvoice({ ...order, quantity: connections, change: undefined });
  const difference = describeDifference(toAmounts(ownPricing), toProviderAmounts(providerPreview));
  return difference && `${connections} connections, ${JSON.stringify(discount)}, ${JSON.stringify(list)}: ${difference}`;
}

type ChangeCase = Pick<ComparisonOptions, 'provider' | 'random' | 'setNow' | 'addMethod'> & {
  readonly list: PriceList;
  readonly discount: Discount | null;
};
type StartedCase = Omit<PriceCase, 'list' | 'discount'> & { readonly start: number };

/** Compares a subscription, and a change to it at a random second of its first month. */
async function compareChange(changeCase: ChangeCase, startedCase: StartedCase): Promise<string | undefined> {
  const { provider, random, list, discount, setNow, addMethod } = changeCase;
  const { connections, start, ...order } = startedCase;
  setNow?.(start);
  const customerId = await provider.createCustomer({
    idempotencyKey: crypto.randomUUID(),
    companyId: 'random',
    contact: { name: 'Random', email: 'random@practice.example' },
  });
  await addMethod?.(customerId);
  const key = { idempotencyKey: crypto.randomUUID(), customerId };
  const subscription = await provider.createSubscription({ ...order, ...key, quantity: connections });
  const { periodStart, periodEnd } = subscription;
  const length = Date.parse(periodEnd) - Date.parse(periodStart);
  const at = toInstant(Date.parse(periodStart) + random(length / 1_000) * 1_000);
  setNow?.(Date.parse(at));
  const newQuantity = createRandomConnections(random, list);
  const day = { today: DATE, subscribedOn: DATE, list, discount };
  const chargedPricing = calculatePricing({ ...day, connections, change: null });
  const change = { periodStart, periodEnd, at, chargedPence: chargedPricing.netPence };
  const ownProration = calculatePricing({ ...day, connections: newQuantity, change }).proration;
  const providerPreview = await provider.previewInvoice({
    ...order,
    quantity: newQuantity,
    change: { subscriptionId: subscription.subscriptionId, itemId: subscription.itemId, at },
  });
  if (!ownProration) return 'no proration';
  const ourAmounts = [
    ownProration.creditPence,
    ownProration.chargePence,
    ownProration.netPence,
    ownProration.vatPence,
    ownProration.totalPence,
  ];
  const { creditPence = ZERO, chargePence = ZERO } = providerPreview.proration ?? {};
  const difference = describeDifference(ourAmounts, [
    creditPence,
    chargePence,
    providerPreview.netPence,
    providerPreview.vatPence,
    providerPreview.totalPence,
  ]);
  return (
    difference && `${connections} to ${newQuantity} at ${at} of ${periodStart} to ${periodEnd}, ${JSON.stringify(discount)}: ${difference}`
  );
}

const toAmounts = ({ netPence, vatPence, totalPence, discountPence }: Pricing) => [netPence, vatPence, totalPence, discountPence];
const toProviderAmounts = ({ netPence, vatPence, totalPence, discountPence }: InvoicePreview) => [
  netPence,
  vatPence,
  totalPence,
  discountPence,
];

function describeDifference(ownAmounts: readonly number[], providerAmounts: readonly number[]): string | undefined {
  return ownAmounts.every((amount, index) => amount === providerAmounts[index])
    ? undefined
    : `ours ${ownAmounts.join(', ')}; Stripe’s ${providerAmounts.join(', ')}`;
}

function createRandomDiscount(random: Random): Discount | null {
  const kind = random(3);
  if (kind === 0) return null;
  return kind === 1 ? { kind: 'percent', percent: 1 + random(100) } : { kind: 'pence', pence: pence(1 + random(9_999)) };
}

/** Returns a random number of connections, often a tier's first or last. */
function createRandomConnections(random: Random, { tiers }: PriceList): number {
  const tier = tiers[random(tiers.length)];
  if (!tier) return 0;
  const last = tier.to ?? tier.from + 500;
  return [tier.from, last, last + 1, tier.from + random(last - tier.from + 1)][random(4)] ?? tier.from;
}

function createRandomPriceList(random: Random, version: number): PriceList {
  const mode = random(2) === 0 ? 'volume' : 'graduated';
  const tiers: PriceTier[] = [];
  const count = 1 + random(5);
  for (let index = 0, from = 0; index < count; index += 1) {
    const to = index === count - 1 ? null : from + 1 + random(60);
    const unitPence = index === 0 ? 0 : 5 * random(60);
    const included = index === 0 ? 0 : random(Math.max(1, Math.min(from, 40)));
    const basePence = index === 0 ? 0 : included * unitPence + 5 * random(400);
    tiers.push({ name: `Tier ${index}`, from, to, basePence: pence(basePence), unitPence: pence(unitPence), included });
    from = (to ?? 0) + 1;
  }
  const list = { version, mode, publishedOn: DATE, effectiveFrom: DATE, existingFrom: null, tiers } as const;
  const problems = validatePriceList(list);
  if (problems.length > 0) throw new RangeError(problems.join(' '));
  return list;
}
