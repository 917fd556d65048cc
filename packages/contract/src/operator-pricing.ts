/** Price lists and promotion codes, for operators. Publishing a list and creating a code takes two people (docs/decisions/0058-prices-on-screens.md). */
import { TIER_MODES } from '@portal/domain/pricing/price-list.ts';
import { PROMOTION_KINDS } from '@portal/domain/pricing/promotion.ts';
import { z } from 'zod/mini';
import { requestedOutput } from './approvals.ts';
import { endpoint } from './endpoint.ts';
import { dateScalar, doneOutput, penceScalar } from './scalars.ts';

const createCountSchema = (subject: string) =>
  z.int().check(z.minimum(0, `Enter ${subject} of 0 or more`), z.maximum(1_000_000, `Enter ${subject} of at most 1,000,000`));
const createPriceSchema = penceScalar.check(
  z.minimum(0, 'Enter a price of £0 or more'),
  z.maximum(100_000_00, 'Enter a price of at most £100,000'),
);
const tierName = z
  .string()
  .check(z.trim(), z.minLength(1, 'Enter the tier’s name'), z.maxLength(40, 'Use at most 40 characters for the tier’s name'));

const tier = z.object({
  name: tierName,
  from: createCountSchema('a number of connections'),
  /** Null for the last tier. */
  to: z.nullable(createCountSchema('a number of connections')),
  base_pence: createPriceSchema,
  /** The price per connection in the tier, beyond the included ones. */
  unit_price_pence: createPriceSchema,
  included: createCountSchema('a number of included connections'),
});

const draft = z.object({
  mode: z.enum(TIER_MODES),
  /** The first day for new customers. */
  effective_from: dateScalar,
  tiers: z.array(tier).check(z.minLength(1, 'Add a tier'), z.maxLength(20, 'Use at most 20 tiers')),
});

const reason = z.string().check(z.trim(), z.minLength(3, 'Enter a reason'), z.maxLength(500, 'Use at most 500 characters'));

const createNamesSchema = (subject: string) =>
  z.array(z.string().check(z.maxLength(80))).check(z.maxLength(20, `Choose at most 20 ${subject}`));

export const promotionTerms = z.object({
  /** Stored in upper case. */
  code: z.string().check(
    z.trim(),
    z.overwrite((text) => text.toUpperCase()),
    z.regex(/^[A-Z0-9-]{3,40}$/, 'Use 3 to 40 letters, digits and hyphens for the code'),
  ),
  kind: z.enum(PROMOTION_KINDS),
  /** A percentage, pence or months, depending on the kind. */
  value: z.int().check(z.minimum(1, 'Enter a whole number, 1 or more'), z.maximum(1_000_000, 'Enter a number of at most 1,000,000')),
  /** The number of months for which a percentage or an amount applies; null for as long as the practice subscribes. */
  months: z.nullable(z.int().check(z.minimum(1, 'Enter at least 1 month'), z.maximum(120, 'Enter at most 120 months'))),
  /** The tiers and partners that the code is limited to; empty for all. */
  tiers: createNamesSchema('tiers'),
  partners: createNamesSchema('partners'),
  starts_on: dateScalar,
  ends_on: z.nullable(dateScalar),
  max_uses: z.nullable(z.int().check(z.minimum(1, 'Enter at least 1 use'), z.maximum(1_000_000, 'Enter at most 1,000,000 uses'))),
  max_uses_per_practice: z.int().check(z.minimum(1, 'Enter at least 1 use'), z.maximum(100, 'Enter at most 100 uses')),
});

export const operatorPricingApi = {
  lists: endpoint({
    method: 'GET',
    path: '/operator/price-lists',
    access: 'operator',
    summary: 'List the published price lists, newest first, with the next draft and why it can’t be published yet',
    input: z.object({}),
    output: z.object({
      today: dateScalar,
      lists: z.array(
        z.extend(draft, {
          version: z.int(),
          /** The first day for existing customers; null if they keep their prices. */
          existing_from: z.nullable(dateScalar),
          /** The number of practices on this list, and their combined monthly price, after discounts and excluding VAT. */
          subscribers: z.int(),
          monthly_net_pence: penceScalar,
          published_on: dateScalar,
          /** Whether new customers get this list today. */
          is_current: z.boolean(),
        }),
      ),
      draft: z.nullable(draft),
      /** Sentences. */
      problems: z.array(z.string()),
      next_version: z.int(),
    }),
  }),
  saveDraft: endpoint({
    method: 'POST',
    path: '/operator/price-lists/draft',
    access: 'operator.manage',
    summary: 'Save the draft of the next price list. Published lists never change.',
    input: draft,
    output: z.object({ problems: z.array(z.string()) }),
  }),
  deleteDraft: endpoint({
    method: 'POST',
    path: '/operator/price-lists/draft/delete',
    access: 'operator.manage',
    summary: 'Delete the draft of the next price list',
    input: z.object({}),
    output: doneOutput,
  }),
  requestPublication: endpoint({
    method: 'POST',
    path: '/operator/price-lists/publish',
    access: 'operator.manage',
    summary: 'Ask a second operator to publish the current draft',
    input: z.object({ reason }),
    output: requestedOutput,
  }),
  codes: endpoint({
    method: 'GET',
    path: '/operator/promotion-codes',
    access: 'operator',
    summary: 'List promotion codes and their uses, active codes first',
    input: z.object({}),
    output: z.object({
      codes: z.array(z.extend(promotionTerms, { uses: z.int(), status: z.enum(['not_started', 'usable', 'used_up', 'ended']) })),
      /** The tiers that a code can be limited to. */
      tiers: z.array(z.string()),
      partners: z.array(z.object({ name: z.string(), label: z.string() })),
    }),
  }),
  requestCode: endpoint({
    method: 'POST',
    path: '/operator/promotion-codes',
    access: 'operator.manage',
    summary: 'Ask a second operator to create a promotion code',
    input: z.extend(promotionTerms, { reason }),
    output: requestedOutput,
  }),
  endCode: endpoint({
    method: 'POST',
    path: '/operator/promotion-codes/end',
    access: 'operator.manage',
    summary: 'End a promotion code immediately. Practices that have used it keep their discount.',
    input: z.object({ code: z.string().check(z.maxLength(40)), reason }),
    output: doneOutput,
  }),
};
