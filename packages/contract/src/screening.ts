/** Possible matches with sanctions and PEP lists. Only the money laundering reporting officer may see them. */
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { idScalar, instantScalar } from './scalars.ts';

export const SUSPICION_DECISIONS = ['cleared', 'confirmed'] as const;

const suspicion = z.object({
  company_id: idScalar,
  company_name: z.string(),
  suspicion_id: idScalar,
  subject_kind: z.enum(['person', 'company']),
  subject_name: z.string(),
  /** The name on the list and the reason for the listing, as worded in the list. */
  caption: z.string(),
  topics: z.array(z.string()),
  datasets: z.array(z.string()),
  listed_id: z.string(),
  score: z.number(),
  found_at: instantScalar,
  decision: z.nullable(z.enum(SUSPICION_DECISIONS)),
  decided_by: z.nullable(z.string()),
  decided_at: z.nullable(instantScalar),
  reason: z.nullable(z.string()),
});
export type SuspicionOutput = z.output<typeof suspicion>;

export const screeningApi = {
  list: endpoint({
    method: 'GET',
    path: '/operator/screening',
    access: 'operator.screen',
    summary: 'List possible matches on sanctions and PEP lists, undecided ones first',
    input: z.object({}),
    output: z.object({
      suspicions: z.array(suspicion),
      /** Companies with an open advance that have never been screened, or were last screened more than a day ago. */
      overdue_companies: z.int(),
      last_screened_at: z.nullable(instantScalar),
    }),
  }),
  decide: endpoint({
    method: 'POST',
    path: '/operator/screening/decide',
    access: 'operator.screen',
    summary: 'Clear or confirm a possible match, with a reason. The company can’t be paid until every match is cleared.',
    input: z.object({
      company_id: idScalar,
      suspicion_id: idScalar,
      decision: z.enum(SUSPICION_DECISIONS),
      reason: z.string().check(z.trim(), z.minLength(3, 'Enter a reason'), z.maxLength(2_000, 'Use at most 2,000 characters')),
    }),
    output: suspicion,
  }),
};
