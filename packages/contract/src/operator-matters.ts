/** Open matters: money that came and repaid nothing, and refunds whose money is missing. What operators see of them and do. */
import { z } from 'zod';
import { advanceState } from './advances.ts';
import { endpoint } from './endpoint.ts';
import { dateScalar, doneOutput, idScalar, instantScalar, penceScalar } from './scalars.ts';

/** `company_id` names the trader whose matter it is; operators reach every company. */
const matterInput = z.object({ company_id: idScalar });
const creditInput = matterInput.extend({
  credit_id: idScalar,
  reason: z.string().trim().min(3, 'Say why, in a few words').max(500, 'Use at most 500 characters'),
});

const matter = z.object({
  /** A credit that repaid nothing; an advance that HMRC repaid in part; one whose repayment is late. */
  kind: z.enum(['credit', 'shortfall', 'overdue']),
  /** The credit or the advance. */
  subject_id: idScalar,
  company_id: idScalar,
  company_name: z.string(),
  /** What came, or what is missing; positive. */
  amount_pence: penceScalar,
  since: instantScalar,
  /** Of a credit: who sent it, and with what words. */
  remitter: z.string().nullable(),
  reference: z.string().nullable(),
  /** Of an advance: what was bought, and by when HMRC was expected to repay it. */
  refund_pence: penceScalar.nullable(),
  expected_on: dateScalar.nullable(),
  /** The advances of the company that a credit could pay, each with what matching it would do. */
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

export const operatorMattersApi = {
  list: endpoint({
    method: 'GET',
    path: '/operator/matters',
    access: 'operator',
    summary: 'Open matters, the oldest first: credits that repaid nothing, shortfalls, and repayments of HMRC that are late.',
    input: z.object({}),
    output: z.object({ matters: z.array(matter), count: z.int() }),
  }),
  match: endpoint({
    method: 'POST',
    path: '/operator/matters/match',
    access: 'operator.money',
    summary: 'Takes a kept credit for the money of an advance of the same company: it is posted, and the advance moves on.',
    input: creditInput.extend({ advance_id: idScalar }),
    output: doneOutput,
    needsIdempotencyKey: true,
  }),
  recordReturn: endpoint({
    method: 'POST',
    path: '/operator/matters/record-return',
    access: 'operator.money',
    summary: 'Writes down that a kept credit went back to its sender, with the bank’s reference of that payment. It pays nothing itself.',
    input: creditInput.extend({
      return_reference: z.string().trim().min(3, 'Give the bank’s reference of the payment').max(100, 'Use at most 100 characters'),
    }),
    output: doneOutput,
    needsIdempotencyKey: true,
  }),
  note: endpoint({
    method: 'POST',
    path: '/operator/matters/note',
    access: 'operator',
    summary: 'Keeps a note with an open matter. The same `note_id` again changes nothing.',
    input: matterInput.extend({
      subject_id: idScalar,
      note_id: idScalar,
      text: z.string().trim().min(3, 'Write a few words').max(1000, 'Use at most 1,000 characters'),
    }),
    output: doneOutput,
  }),
};
