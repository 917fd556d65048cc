/**
 * The price that a practice pays (docs/product/specification.md section 7.4, docs/product/decisions.md section 9,
 * docs/decisions/0055-pricing.md). Prices are per month and exclude VAT.
 */
import { MAX_PRICED_CONNECTIONS, TIER_MODES } from '@portal/domain/pricing/price-list.ts';
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { taxScalar } from './practice.ts';
import { companyInput, dateScalar, idScalar, penceScalar } from './scalars.ts';

/** The maximum number of connections in one request. */
const MAX_NAMED_CONNECTIONS = 1_000;

/** Defaults to the saved selection. */
const selectedConnections = z.optional(
  z.coerce
    .number('Enter a whole number of connections')
    .check(
      z.int('Enter a whole number of connections'),
      z.minimum(0, 'Enter 0 connections or more'),
      z.maximum(MAX_PRICED_CONNECTIONS, `Enter at most ${MAX_PRICED_CONNECTIONS} connections`),
    ),
);
const connection = z.object({ client_id: idScalar, tax: taxScalar });

/** The filters for the client and tax combinations that a list shows, and that can be selected together. */
const connectionFilter = {
  /** Matches part of the client's name. */
  q: z.optional(z.string().check(z.trim(), z.maxLength(100, 'Use at most 100 characters in your search'))),
  tax: z.optional(taxScalar),
};

const tier = z.object({
  name: z.string(),
  /** The first and last number of connections in the tier; `to` is null for the last one. */
  from: z.int(),
  to: z.nullable(z.int()),
  base_pence: penceScalar,
  /** The price of each connection in the tier beyond the included ones. */
  unit_price_pence: penceScalar,
  /** Connections that the base price covers. */
  included: z.int(),
});

export const pricingApi = {
  connections: endpoint({
    method: 'GET',
    path: '/open-tax/pricing-connections',
    access: 'practice.manage',
    summary: 'List the clients and taxes that are linked or selected, one page at a time by client, with counts by tax',
    input: z.extend(companyInput, {
      ...connectionFilter,
      cursor: z.optional(z.string().check(z.maxLength(500))),
      limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(200, 'Request at most 200 connections')), 50),
    }),
    output: z.object({
      connections: z.array(
        z.object({
          client_id: idScalar,
          name: z.string(),
          tax: taxScalar,
          /** False if the connection is no longer linked. It stays selected, but is priced only once it is linked again. */
          linked: z.boolean(),
          selected: z.boolean(),
        }),
      ),
      taxes: z.array(z.object({ tax: taxScalar, linked: z.int(), selected: z.int() })),
      /** The number of connections that match the filter, on all pages. */
      count: z.int(),
      /** The number of selected and linked connections, which is the number priced. */
      no_selected_connections: z.int(),
      next_cursor: z.nullable(z.string()),
    }),
  }),
  select: endpoint({
    method: 'POST',
    path: '/open-tax/pricing-connections',
    access: 'practice.manage',
    summary: 'Select or deselect connections: those named, or all that are linked and match the filter',
    input: z.extend(companyInput, {
      selected: z.boolean(),
      ...connectionFilter,
      connections: z.optional(
        z
          .array(connection)
          .check(
            z.minLength(1, 'Choose a connection'),
            z.maxLength(MAX_NAMED_CONNECTIONS, `Choose at most ${MAX_NAMED_CONNECTIONS} connections at once`),
          ),
      ),
    }),
    output: z.object({ no_selected_connections: z.int() }),
  }),
  tiers: endpoint({
    method: 'GET',
    // The path keeps the specification's spelling.
    path: '/open-tax/tire-pricing-data',
    access: 'public',
    summary: 'Get the tiers for new customers. If there is no published price list, `version` is null and there are no tiers.',
    input: z.object({}),
    output: z.object({
      version: z.nullable(z.int()),
      mode: z.enum(TIER_MODES),
      vat_rate_bps: z.int(),
      tiers: z.array(tier),
    }),
  }),
  currentTier: endpoint({
    method: 'GET',
    path: '/open-tax/current-pricing-tier',
    access: 'practice.manage',
    summary: 'Get the tier of the saved selection, or of another number of connections',
    input: z.extend(companyInput, { no_selected_connections: selectedConnections }),
    output: z.object({
      version: z.int(),
      no_selected_connections: z.int(),
      tier,
      /** Null for the last tier. */
      next_tier: z.nullable(tier),
    }),
  }),
  calculate: endpoint({
    method: 'GET',
    path: '/open-tax/calculate-pricing',
    access: 'practice.manage',
    summary: 'Price the saved selection, or another number of connections. Trying a promotion code here doesn’t use it up.',
    input: z.extend(companyInput, {
      no_selected_connections: selectedConnections,
      /** Defaults to the tier that the connections fall into. Any other tier is rejected. */
      tier_name: z.optional(z.string().check(z.maxLength(80))),
      promotion_code: z.optional(z.string().check(z.maxLength(80))),
    }),
    output: z.object({
      version: z.int(),
      tier_name: z.string(),
      no_selected_connections: z.int(),
      lines: z.array(
        z.object({
          kind: z.enum(['base', 'connections', 'discount', 'vat']),
          /** Connections beyond the included ones; null for other lines. */
          quantity: z.nullable(z.int()),
          /** Negative for a discount. */
          amount_pence: penceScalar,
        }),
      ),
      net_pence: penceScalar,
      vat_rate_bps: z.int(),
      vat_pence: penceScalar,
      total_pence: penceScalar,
      renews_on: dateScalar,
      /**
       * The cost today of changing the subscription to these connections for the rest of the month; null without a subscription or a
       * change.
       */
      change: z.nullable(
        z.object({
          /** The credit for unused time at the old price, as a negative amount. */
          credit_pence: penceScalar,
          charge_pence: penceScalar,
          net_pence: penceScalar,
          vat_pence: penceScalar,
          total_pence: penceScalar,
        }),
      ),
      /** The subscription's promotion code, if it isn't for this tier and so ends with the change. */
      ends_promotion_code: z.nullable(z.string()),
      promotion: z.nullable(
        z.object({
          promotion_code: z.string(),
          /** The number of months with the discount; null if the discount lasts as long as the subscription. */
          months: z.nullable(z.int()),
          /** The monthly total once the discount has ended. */
          then_total_pence: penceScalar,
        }),
      ),
    }),
  }),
};
