/**
 * Moves existing subscribers to a published price list, with 60 days' notice and two operators' approval
 * (docs/decisions/0069-refunds-and-price-moves.md).
 */
import { PRICE_MOVE_STATUSES } from '@portal/domain/pricing/subscription.ts';
import { z } from 'zod/mini';
import { requestedOutput } from './approvals.ts';
import { endpoint } from './endpoint.ts';
import { dateScalar, idScalar, penceScalar } from './scalars.ts';

const version = z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100_000));
const reason = z.string().check(z.trim(), z.minLength(3, 'Enter a reason'), z.maxLength(500, 'Use at most 500 characters'));

/** Monthly prices including VAT for the current connections, with the discount that will apply on the day of the move. */
const effect = {
  company_id: idScalar,
  practice: z.string(),
  no_connections: z.int(),
  from_version: z.int(),
  from_total_pence: penceScalar,
  to_total_pence: penceScalar,
  /** The first renewal after the notice period. */
  moves_on: dateScalar,
};

export const priceMovesApi = {
  preview: endpoint({
    method: 'GET',
    path: '/operator/price-moves/preview',
    access: 'operator',
    summary:
      'Preview what moving all subscribers from earlier price lists to this one would change for each practice, largest increase first',
    input: z.object({ version }),
    output: z.object({
      version: z.int(),
      /** The first day on which a renewal can be at the new prices if notice is given today. */
      moves_from: dateScalar,
      practices: z.array(z.object({ ...effect, ends_at_renewal: z.boolean() })),
      from_total_pence: penceScalar,
      to_total_pence: penceScalar,
      /** Why the move can't be scheduled; null if it can. */
      problem: z.nullable(z.string()),
    }),
  }),
  list: endpoint({
    method: 'GET',
    path: '/operator/price-moves',
    access: 'operator',
    summary: 'List moves to other price lists with their practices, newest first',
    input: z.object({}),
    output: z.object({
      moves: z.array(
        z.object({
          move_id: idScalar,
          to_version: z.int(),
          decided_on: dateScalar,
          stopped_on: z.nullable(dateScalar),
          /** The day on which the last affected practice got its notice; null while notices are being sent. */
          noticed_on: z.nullable(dateScalar),
          practices: z.array(
            z.object({
              ...effect,
              status: z.enum(PRICE_MOVE_STATUSES),
              noticed_on: dateScalar,
              /** True if the practice renews within three days and Stripe already has its new price, so that the move can't be stopped. */
              is_too_late: z.boolean(),
            }),
          ),
        }),
      ),
    }),
  }),
  request: endpoint({
    method: 'POST',
    path: '/operator/price-moves',
    access: 'operator.manage',
    summary: 'Ask a second operator to approve a notice that moves all subscribers on earlier price lists to this one',
    input: z.object({ version: z.int().check(z.minimum(1)), reason }),
    output: requestedOutput,
  }),
  stop: endpoint({
    method: 'POST',
    path: '/operator/price-moves/stop',
    access: 'operator.manage',
    summary: 'Cancel a move. Practices keep their prices and get an email, except those that renew within three days.',
    input: z.object({ move_id: idScalar, reason }),
    output: z.object({
      /** The number of practices that keep their prices. */
      stopped: z.int(),
      /** The practices that will still move. */
      moving: z.array(z.object({ practice: z.string(), moves_on: dateScalar })),
    }),
  }),
};
