/** The identity check of a company's owner, by an external provider. */
import { IDENTITY_STATUSES } from '@portal/domain/advances/advance-statuses.ts';
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { createNameScalar, doneOutput, idScalar, instantScalar } from './scalars.ts';

export const identityCheckApi = {
  find: endpoint({
    method: 'GET',
    path: '/instant-vat/identity-check',
    access: 'signed_in',
    summary: 'Get the status of the user’s identity check',
    input: z.object({}),
    output: z.object({
      status: z.enum(IDENTITY_STATUSES),
      reasons: z.array(z.string()),
      may_begin: z.boolean(),
      completed_at: z.nullable(instantScalar),
      attempts_left: z.int(),
    }),
  }),
  begin: endpoint({
    method: 'POST',
    path: '/instant-vat/identity-check/begin',
    access: 'signed_in',
    summary: 'Start an identity check. The browser continues at `url`.',
    input: z.object({}),
    output: z.object({ check_id: idScalar, url: z.string() }),
  }),
  listOwners: endpoint({
    method: 'GET',
    path: '/operator/identity',
    access: 'operator',
    summary:
      'List a company’s owners with the status of their latest identity check, and the company’s officers and owners at Companies House',
    input: z.object({ company_id: idScalar }),
    output: z.object({
      owners: z.array(
        z.object({
          user_id: idScalar,
          full_name: z.string(),
          status: z.enum(IDENTITY_STATUSES),
          /** The operator who verified the person, and the evidence; null if the result came from the provider. */
          verified_by: z.nullable(z.string()),
          evidence: z.nullable(z.string()),
        }),
      ),
      company_people: z.nullable(z.array(z.string())),
    }),
  }),
  verifyByHand: endpoint({
    method: 'POST',
    path: '/operator/identity/verify',
    access: 'operator.underwrite',
    summary: 'Record that an operator has verified an owner’s identity, with the name on the document and the evidence',
    input: z.object({
      company_id: idScalar,
      user_id: idScalar,
      full_name: createNameScalar('the name on the document'),
      evidence: z
        .string()
        .check(
          z.trim(),
          z.minLength(10, 'Describe the evidence you saw and where it’s stored'),
          z.maxLength(2_000, 'Use at most 2,000 characters'),
        ),
    }),
    output: doneOutput,
  }),
};
