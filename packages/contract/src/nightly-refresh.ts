/** A practice's nightly refresh, and the operator's confirmation that it requires (docs/decisions/0018). */
import { BATCH_HEADERS } from '@portal/domain/sync/batch-headers.ts';
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { companyInput, doneOutput, instantScalar } from './scalars.ts';

const confirmation = z.object({
  /** The headers that HMRC requires; empty if the confirmation has been withdrawn. */
  headers: z.array(z.enum(BATCH_HEADERS)),
  note: z.string(),
  recorded_by: z.string(),
  recorded_at: instantScalar,
});

export const nightlyRefreshApi = {
  get: endpoint({
    method: 'GET',
    path: '/open-tax/nightly-refresh',
    access: 'practice.read',
    summary: 'Get whether the practice’s clients are refreshed every night',
    input: companyInput,
    output: z.object({
      is_on: z.boolean(),
      /** Whether an operator has confirmed with HMRC which headers this refresh sends. Until then, nothing is refreshed at night. */
      is_confirmed: z.boolean(),
      last_started_at: z.nullable(instantScalar),
    }),
  }),
  save: endpoint({
    method: 'POST',
    path: '/open-tax/nightly-refresh',
    access: 'practice.manage',
    summary: 'Turn the nightly refresh on or off. It can be turned on only after an operator has confirmed HMRC’s requirements.',
    input: z.extend(companyInput, { is_on: z.boolean() }),
    output: doneOutput,
  }),
  confirmation: endpoint({
    method: 'GET',
    path: '/operator/batch-headers',
    access: 'operator',
    summary: 'Get HMRC’s decision on the fraud prevention headers for refreshes that no user starts',
    input: z.object({}),
    output: z.object({ confirmation: z.nullable(confirmation) }),
  }),
  confirm: endpoint({
    method: 'POST',
    path: '/operator/batch-headers',
    access: 'operator.manage',
    summary: 'Record HMRC’s decision: the headers it requires, or none to withdraw the confirmation, which stops nightly refreshes',
    input: z.object({
      headers: z.array(z.enum(BATCH_HEADERS)).check(z.maxLength(BATCH_HEADERS.length)),
      note: z
        .string()
        .check(
          z.trim(),
          z.minLength(10, 'Enter where HMRC’s reply is stored, for example its ticket number and date'),
          z.maxLength(500, 'Use at most 500 characters'),
        ),
    }),
    output: doneOutput,
  }),
};
