/** Rules that assign clients created by an import. */
import { MAX_ASSIGNMENT_RULES, MAX_RULE_VALUES, RULE_CONDITIONS } from '@portal/domain/team/assignment-rules.ts';
import { z } from 'zod/mini';
import { duty } from './clients.ts';
import { endpoint } from './endpoint.ts';
import { companyInput, idScalar } from './scalars.ts';

const ruleFields = {
  /** The condition that a client must meet (domain/team/assignment-rules.ts). */
  by: z.enum(RULE_CONDITIONS),
  /** Postcode areas, taxes, or letters and ranges of letters. A client needs to match only one. */
  values: z.array(z.string().check(z.maxLength(20, 'Use at most 20 characters'))).check(z.minLength(1), z.maxLength(MAX_RULE_VALUES)),
  duty,
  user_id: idScalar,
};

export const assignmentRule = z.object({
  ...ruleFields,
  full_name: z.string(),
  /** False once the member has left. The rule then has no effect. */
  is_active: z.boolean(),
});
export type AssignmentRule = z.output<typeof assignmentRule>;

/** Identifies the current version of the rules. Send it back when saving, so that you don't overwrite changes you haven't seen. */
const version = z.string().check(z.maxLength(64));

export const assignmentRulesEndpoints = {
  rules: endpoint({
    method: 'GET',
    path: '/open-tax/assignment-rules',
    access: 'practice.manage',
    summary: 'List the rules that assign newly imported clients, in order. For each duty, the first active rule that matches applies.',
    input: companyInput,
    output: z.object({ rules: z.array(assignmentRule), version }),
  }),
  saveRules: endpoint({
    method: 'POST',
    path: '/open-tax/assignment-rules',
    access: 'practice.manage',
    summary:
      'Replace the rules that assign imported clients. Returns 409 assignment_rules.changed_since if someone has changed them since `version`.',
    input: z.extend(companyInput, {
      version,
      rules: z.array(z.object(ruleFields)).check(z.maxLength(MAX_ASSIGNMENT_RULES, `Use at most ${MAX_ASSIGNMENT_RULES} rules`)),
    }),
    output: z.object({ rules: z.array(assignmentRule), version }),
  }),
};
