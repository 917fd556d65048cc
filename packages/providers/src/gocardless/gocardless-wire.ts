/**
 * GoCardless's wire format (docs/reference/providers.md section 10; developer.gocardless.com/api-reference). Bodies are wrapped in the
 * resource's name; amounts are whole pence.
 */
import { PAYOUT_STATUSES } from '@portal/domain/shortfalls/direct-debit-payout.ts';
import { MANDATE_STATUSES, PAYMENT_STATUSES } from '@portal/domain/shortfalls/direct-debit.ts';
import { z } from 'zod';

export const API_VERSION = '2015-07-06';
export const SIGNATURE_HEADER = 'webhook-signature';
/** The status that GoCardless expects for a bad signature. */
export const INVALID_TOKEN_STATUS = 498;
/** The metadata member that contains our idempotency key. GoCardless allows three members of 500 characters. */
export const ORDER_KEY = 'order_id';

const metadataWire = z.record(z.string(), z.string().max(500)).refine((metadata) => Object.keys(metadata).length <= 3, 'too many members');

export const createBillingRequestWire = z.object({
  billing_requests: z.object({
    mandate_request: z.object({ scheme: z.literal('bacs'), currency: z.literal('GBP') }),
    metadata: metadataWire.optional(),
  }),
});

export const billingRequestWire = z.object({
  billing_requests: z.object({
    id: z.string().min(1),
    status: z.enum(['pending', 'ready_to_fulfil', 'fulfilling', 'fulfilled', 'cancelled']),
    links: z.object({ mandate_request_mandate: z.string().nullish(), customer: z.string().nullish() }).optional(),
  }),
});

export const createFlowWire = z.object({
  billing_request_flows: z.object({
    redirect_uri: z.url(),
    exit_uri: z.url(),
    prefilled_customer: z.object({ company_name: z.string(), email: z.string() }).optional(),
    links: z.object({ billing_request: z.string() }),
  }),
});

export const flowWire = z.object({
  billing_request_flows: z.object({ id: z.string(), authorisation_url: z.url(), expires_at: z.string().nullish() }),
});

export const mandateWire = z.object({
  mandates: z.object({
    id: z.string().min(1),
    status: z.enum(MANDATE_STATUSES),
    scheme: z.string(),
    reference: z.string().nullish(),
    next_possible_charge_date: z.string().nullish(),
    created_at: z.string(),
    links: z.object({ customer_bank_account: z.string().min(1) }),
  }),
});

/** GoCardless gives only the last digits of a payer's account: two in the UK. */
export const customerBankAccountWire = z.object({
  customer_bank_accounts: z.object({ id: z.string().min(1), account_number_ending: z.string().regex(/^\d{2,}$/) }),
});

export const createPaymentWire = z.object({
  payments: z.object({
    amount: z.number().int().positive(),
    currency: z.literal('GBP'),
    charge_date: z.string().regex(/^\d{4}-\d{2}-\d{2}$/),
    description: z.string().max(100).optional(),
    metadata: metadataWire.optional(),
    links: z.object({ mandate: z.string() }),
  }),
});

const paymentFields = z.object({
  id: z.string().min(1),
  status: z.enum(PAYMENT_STATUSES),
  amount: z.number().int(),
  currency: z.string(),
  charge_date: z.string().nullish(),
  description: z.string().nullish(),
  metadata: z.record(z.string(), z.string()).optional(),
  created_at: z.string(),
  links: z.object({ mandate: z.string() }),
});
export const paymentWire = z.object({ payments: paymentFields });
export const cursorsWire = z.object({
  cursors: z.object({ before: z.string().nullish(), after: z.string().nullish() }),
  limit: z.number(),
});
export const paymentListWire = z.object({ payments: z.array(paymentFields), meta: cursorsWire });
export type PaymentWire = z.infer<typeof paymentFields>;

/** `amount` is the amount we receive, after fees. */
const payoutFields = z.object({
  id: z.string().min(1),
  amount: z.number().int(),
  deducted_fees: z.number().int(),
  currency: z.string(),
  status: z.enum(PAYOUT_STATUSES),
  payout_type: z.enum(['merchant', 'partner']),
  reference: z.string().nullish(),
  arrival_date: z.string().nullish(),
  created_at: z.string(),
});
export type PayoutWire = z.infer<typeof payoutFields>;
export const payoutListWire = z.object({ payouts: z.array(payoutFields), meta: cursorsWire });

/** `amount` is a string with one decimal place, in tenths of a penny, because that is how fees are recorded. */
const payoutItemFields = z.object({
  type: z.string(),
  amount: z.string().regex(/^-?\d+(\.\d)?$/),
  links: z.object({ payment: z.string().nullish() }).nullish(),
});
export type PayoutItemWire = z.infer<typeof payoutItemFields>;
export const payoutItemListWire = z.object({ payout_items: z.array(payoutItemFields), meta: cursorsWire });

export const eventWire = z.object({
  id: z.string().min(1),
  created_at: z.string(),
  resource_type: z.string(),
  action: z.string(),
  links: z.record(z.string(), z.string().nullish()).default({}),
  details: z
    .object({
      origin: z.string(),
      cause: z.string(),
      description: z.string(),
      scheme: z.string().nullish(),
      reason_code: z.string().nullish(),
    })
    .partial()
    .optional(),
});
export type EventWire = z.infer<typeof eventWire>;
export const eventListWire = z.object({ events: z.array(eventWire), meta: cursorsWire });
/** At most 250 events. */
export const webhookWire = z.object({ events: z.array(eventWire).max(250), meta: z.object({ webhook_id: z.string() }).optional() });

export const errorWire = z.object({
  error: z.object({
    type: z.enum(['gocardless', 'invalid_api_usage', 'invalid_state', 'validation_failed']),
    code: z.number(),
    message: z.string(),
    errors: z
      .array(
        z.object({
          reason: z.string().optional(),
          field: z.string().optional(),
          message: z.string().optional(),
          request_pointer: z.string().optional(),
          links: z.object({ conflicting_resource_id: z.string() }).partial().optional(),
        }),
      )
      .default([]),
    request_id: z.string().optional(),
    documentation_url: z.string().optional(),
  }),
});
