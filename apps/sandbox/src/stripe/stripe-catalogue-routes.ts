/** Routes for products, tiered prices, tax rates, coupons, customers and the customer portal. */
import { toListResponse } from './stripe-responses.ts';
import { createInvalidError, requireRecord, StripeApiError } from './stripe-error.ts';
import { readNestedParams, readItems, readParam, readTextMap, readTexts, type Params } from './stripe-form.ts';
import { createId, saveDocument, type CouponRecord, type PriceRecord, type StripeRecords } from './stripe-records.ts';
import { requireInteger, requireParam, type StripeRoute, toOkResponse } from './stripe-route.ts';

const createExistingError = (kind: string): StripeApiError =>
  new StripeApiError(400, 'invalid_request_error', `${kind} already exists.`, { code: 'resource_already_exists' });

const createPrice: StripeRoute['answer'] = ({ params, records }) => {
  const mode = requireParam(params, 'tiers_mode');
  if (mode !== 'volume' && mode !== 'graduated') throw createInvalidError('tiers_mode', 'Must be one of graduated or volume');
  const lookupKey = readParam(params, 'lookup_key') ?? null;
  if (lookupKey !== null && records.prices.list().some(({ document }) => document.lookup_key === lookupKey))
    throw createInvalidError('lookup_key', 'A price already uses that lookup key.');
  const product = requireParam(params, 'product');
  if (!records.products.get(product)) throw createInvalidError('product', `No such product: '${product}'`, 'resource_missing');
  const tiers = readItems(params, 'tiers').map((tier) => ({
    up_to: readParam(tier, 'up_to') === 'inf' ? null : requireInteger(tier, 'up_to'),
    unit_amount: requireInteger(tier, 'unit_amount'),
    flat_amount: requireInteger(tier, 'flat_amount'),
  }));
  if (tiers.at(-1)?.up_to !== null) throw createInvalidError('tiers', 'The last tier must have up_to=inf.');
  if (tiers.some(({ unit_amount: unit, flat_amount: flatAmount }) => unit < 0 || flatAmount < 0))
    throw createInvalidError('tiers', 'Amounts can’t be negative.');
  const tierEnds = tiers.slice(0, -1).map(({ up_to: end }) => end ?? 0);
  if (tierEnds.some((end, index) => end <= (tierEnds[index - 1] ?? 0)))
    throw createInvalidError('tiers', 'Tiers must be in ascending order.');
  const price: PriceRecord = { id: createId('price'), lookup_key: lookupKey, product, tiers_mode: mode, tiers, created: records.now() };
  return toOkResponse({ object: 'price', ...saveDocument(records.prices, price) });
};

const createCoupon: StripeRoute['answer'] = ({ params, records }) => {
  const id = readParam(params, 'id') ?? createId('coupon');
  if (records.coupons.get(id)) throw createExistingError('Coupon');
  const duration = requireParam(params, 'duration');
  const coupon: CouponRecord = {
    id,
    percent_off: readParam(params, 'percent_off') === undefined ? null : requireInteger(params, 'percent_off'),
    amount_off: readParam(params, 'amount_off') === undefined ? null : requireInteger(params, 'amount_off'),
    duration,
    duration_in_months: duration === 'repeating' ? requireInteger(params, 'duration_in_months') : null,
  };
  return toOkResponse({ object: 'coupon', ...saveDocument(records.coupons, coupon) });
};

function toCustomer(params: Params, records: StripeRecords, id: string) {
  const existing = records.customers.get(id);
  return saveDocument(records.customers, {
    id,
    name: readParam(params, 'name') ?? existing?.name ?? null,
    email: readParam(params, 'email') ?? existing?.email ?? null,
    balance: existing?.balance ?? 0,
    default_payment_method:
      readParam(readNestedParams(params, 'invoice_settings'), 'default_payment_method') ?? existing?.default_payment_method ?? null,
    metadata: { ...existing?.metadata, ...readTextMap(params, 'metadata') },
  });
}

export const CATALOGUE_ROUTES: readonly StripeRoute[] = [
  {
    method: 'POST',
    path: '/products',
    operation: 'stripe.write',
    answer: ({ params, records }) => {
      const id = readParam(params, 'id') ?? createId('prod');
      if (records.products.get(id)) throw createExistingError('Product');
      return toOkResponse({ object: 'product', ...saveDocument(records.products, { id, name: requireParam(params, 'name') }) });
    },
  },
  { method: 'POST', path: '/prices', operation: 'stripe.write', answer: createPrice },
  {
    method: 'GET',
    path: '/prices',
    operation: 'stripe.read',
    answer: ({ params, records }) => {
      const keys = readTexts(params, 'lookup_keys');
      const matchingPrices = records.prices.list().flatMap(({ document }) => (keys.includes(document.lookup_key ?? '') ? [document] : []));
      return toOkResponse(
        toListResponse(
          '/v1/prices',
          matchingPrices.map((price) => ({ object: 'price', ...price })),
        ),
      );
    },
  },
  {
    method: 'POST',
    path: '/tax_rates',
    operation: 'stripe.write',
    answer: ({ params, records }) => {
      const rate = { percentage: Number(requireParam(params, 'percentage')), inclusive: readParam(params, 'inclusive') === 'true' };
      return toOkResponse({
        object: 'tax_rate',
        ...saveDocument(records.taxRates, { id: createId('txr'), ...rate, metadata: readTextMap(params, 'metadata') }),
      });
    },
  },
  {
    method: 'GET',
    path: '/tax_rates',
    operation: 'stripe.read',
    answer: ({ records }) =>
      toOkResponse(
        toListResponse(
          '/v1/tax_rates',
          records.taxRates.list().map(({ document }) => ({ object: 'tax_rate', active: true, ...document })),
        ),
      ),
  },
  { method: 'POST', path: '/coupons', operation: 'stripe.write', answer: createCoupon },
  {
    method: 'POST',
    path: '/customers',
    operation: 'stripe.write',
    answer: ({ params, records }) => toOkResponse({ object: 'customer', ...toCustomer(params, records, createId('cus')) }),
  },
  {
    method: 'POST',
    path: '/customers/:id',
    operation: 'stripe.write',
    answer: ({ params, id, records }) => {
      requireRecord(records.customers.get(id), 'customer', id);
      return toOkResponse({ object: 'customer', ...toCustomer(params, records, id) });
    },
  },
  {
    method: 'POST',
    path: '/billing_portal/sessions',
    operation: 'stripe.write',
    answer: ({ params, records, publicUrl }) => {
      const customer = requireParam(params, 'customer');
      requireRecord(records.customers.get(customer), 'customer', customer);
      const url = `${publicUrl}/p/session/${customer}?return_url=${encodeURIComponent(readParam(params, 'return_url') ?? '')}`;
      return toOkResponse({ object: 'billing_portal.session', id: createId('bps'), customer, url });
    },
  },
];
