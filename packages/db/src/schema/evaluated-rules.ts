/** The stored form of an advance's eligibility rules. */
import type { EvaluatedRule } from '@portal/domain/advances/evaluate-eligibility.ts';
import { customType } from 'drizzle-orm/pg-core';

/** `how_to_fix` has another name in the previous version, whose portals read and write rows during this deployment. */
type StoredRule = Omit<EvaluatedRule, 'how_to_fix'> & { readonly how_to_fix?: string; readonly mend?: string };

export const evaluatedRules = customType<{ data: EvaluatedRule[]; driverData: readonly StoredRule[] | string }>({
  dataType: () => 'jsonb',
  toDriver: (rules) => JSON.stringify(rules.map((rule) => ({ ...rule, mend: rule.how_to_fix }))),
  fromDriver: (storedValue) => {
    const rules = typeof storedValue === 'string' ? (JSON.parse(storedValue) as readonly StoredRule[]) : storedValue;
    return rules.map(({ rule, outcome, finding, how_to_fix: howToFix, mend = '' }) => {
      return { rule, outcome, finding, how_to_fix: howToFix ?? mend };
    });
  },
});
