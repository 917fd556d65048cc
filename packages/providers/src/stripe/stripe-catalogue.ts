/** Our price lists, VAT rate and coupons at Stripe. Each is found by its terms, so a second process doesn't create duplicates. */
import { ProviderError } from '../http/provider-error.ts';
import type { BillingProvider, CouponTerms } from './stripe-port.ts';
import type { StripeHttp } from './stripe-http.ts';
import { toCouponId, toStripeTiers } from './stripe-map.ts';
import { idListWire, idWire, taxRateListWire } from './stripe-wire.ts';

const PRODUCT_ID = 'opentax-connections';

export function createCatalogueCalls(http: StripeHttp): Pick<BillingProvider, 'ensurePrice' | 'ensureVatRate' | 'ensureCoupon'> {
  const { stripe } = http;
  return {
    ensurePrice: async (list) => {
      const lookupKey = `opentax-list-${list.version}`;
      const find = () => stripe.prices.list({ lookup_keys: [lookupKey], active: true, limit: 1 });
      const [foundPrice] = (await http.read({ operation: 'list_prices', schema: idListWire, send: find })).data;
      if (foundPrice) return foundPrice.id;
      await createOrGetExisting(() =>
        http.write({
          operation: 'create_product',
          schema: idWire,
          send: () => stripe.products.create({ id: PRODUCT_ID, name: 'OpenTax connections' }, { idempotencyKey: PRODUCT_ID }),
        }),
      );
      const params = {
        product: PRODUCT_ID,
        currency: 'gbp',
        billing_scheme: 'tiered' as const,
        tiers_mode: list.mode,
        tiers: toStripeTiers(list),
        recurring: { interval: 'month' as const },
        tax_behavior: 'exclusive' as const,
        lookup_key: lookupKey,
      };
      const send = () => stripe.prices.create(params, { idempotencyKey: lookupKey });
      return (await http.write({ operation: 'create_price', schema: idWire, send })).id;
    },
    ensureVatRate: async (rateBps) => {
      const percentage = rateBps / 100;
      const find = () => stripe.taxRates.list({ active: true, inclusive: false, limit: 100 });
      const rates = (await http.read({ operation: 'list_tax_rates', schema: taxRateListWire, send: find })).data;
      const foundRate = rates.find((rate) => rate.metadata['portal'] === 'uk-vat' && rate.percentage === percentage);
      if (foundRate) return foundRate.id;
      const params = { display_name: 'VAT', country: 'GB', inclusive: false, percentage, metadata: { portal: 'uk-vat' } };
      const send = () => stripe.taxRates.create(params, { idempotencyKey: `uk-vat-${rateBps}` });
      return (await http.write({ operation: 'create_tax_rate', schema: idWire, send })).id;
    },
    ensureCoupon: async (terms) => {
      const couponId = toCouponId(terms);
      const send = () => stripe.coupons.create({ id: couponId, ...toCouponParams(terms) }, { idempotencyKey: couponId });
      await createOrGetExisting(() => http.write({ operation: 'create_coupon', schema: idWire, send }));
      return couponId;
    },
  };
}

function toCouponParams({ discount, months }: CouponTerms) {
  return {
    ...(discount.kind === 'percent' ? { percent_off: discount.percent } : { amount_off: discount.pence, currency: 'gbp' }),
    ...(months === null ? { duration: 'forever' as const } : { duration: 'repeating' as const, duration_in_months: months }),
  };
}

/** An object whose id we choose ourselves may already exist. */
async function createOrGetExisting(create: () => Promise<unknown>): Promise<void> {
  try {
    await create();
  } catch (error) {
    if (!(error instanceof ProviderError && error.facts.code === 'resource_already_exists')) throw error;
  }
}
