/** Reconciliation exceptions, that is, unmatched credits and refunds with missing money, and the operators' actions on them. */
import { z } from 'zod/mini';
import { advanceState } from './advances.ts';
import { endpoint } from './endpoint.ts';
import { dateScalar, doneOutput, idScalar, instantScalar, penceScalar } from './scalars.ts';

/** `company_id` is the trader concerned; operators can access every company. */
const exceptionInput = z.object({ company_id: idScalar });
const creditInput = z.extend(exceptionInput, {
  credit_id: idScalar,
  reason: z.string().check(z.trim(), z.minLength(3, 'Enter a reason'), z.maxLength(500, 'Use at most 500 characters')),
});

const reconciliationException = z.object({
  /** An unmatched credit, an advance that HMRC repaid in part, or one whose repayment is late. */
  kind: z.enum(['credit', 'shortfall', 'overdue']),
  /** Id of the credit or advance concerned. */
  subject_id: idScalar,
  company_id: idScalar,
  company_name: z.string(),
  /** The amount received or missing; positive. */
  amount_pence: penceScalar,
  since: instantScalar,
  /** The sender of a credit; null for an advance. */
  remitter: z.nullable(z.string()),
  reference: z.nullable(z.string()),
  /** The refund bought; null for a credit. */
  refund_pence: z.nullable(penceScalar),
  expected_on: z.nullable(dateScalar),
  /** Advances of the company that the credit could pay, with the effect of each match. */
  candidates: z.array(
    z.object({
      advance_id: idScalar,
      period_start: dateScalar,
      period_end: dateScalar,
      state: advanceState,
      refund_pence: penceScalar,
      applied_pence: penceScalar,
      surplus_pence: penceScalar,
      missing_pence: penceScalar,
    }),
  ),
  notes: z.array(z.object({ text: z.string(), by: z.string(), at: instantScalar })),
});

export const reconciliationExceptionsApi = {
  list: endpoint({
    method: 'GET',
    path: '/operator/matters',
    access: 'operator',
    summary: 'List reconciliation exceptions, oldest first: unmatched credits, shortfalls and late HMRC repayments',
    input: z.object({}),
    output: z.object({ matters: z.array(reconciliationException), count: z.int() }),
  }),
  match: endpoint({
    method: 'POST',
    path: '/operator/matters/match',
    access: 'operator.finance',
    summary: 'Match an unmatched credit to an advance of the same company. Posts it to the ledger and updates the advance.',
    input: z.extend(creditInput, { advance_id: idScalar }),
    output: doneOutput,
    needsIdempotencyKey: true,
  }),
  recordReturn: endpoint({
    method: 'POST',
    path: '/operator/matters/record-return',
    access: 'operator.finance',
    summary: 'Record that an unmatched credit was returned to its sender, with the bank’s payment reference. Makes no payment.',
    input: z.extend(creditInput, {
      return_reference: z
        .string()
        .check(z.trim(), z.minLength(3, 'Enter the bank’s reference for the payment'), z.maxLength(100, 'Use at most 100 characters')),
    }),
    output: doneOutput,
    needsIdempotencyKey: true,
  }),
  note: endpoint({
    method: 'POST',
    path: '/operator/matters/note',
    access: 'operator',
    summary: 'Add a note to a reconciliation exception. Repeating a `note_id` changes nothing.',
    input: z.extend(exceptionInput, {
      subject_id: idScalar,
      note_id: idScalar,
      text: z.string().check(z.trim(), z.minLength(3, 'Enter a note'), z.maxLength(1000, 'Use at most 1,000 characters')),
    }),
    output: doneOutput,
  }),
};
