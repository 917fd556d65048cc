import type { EvaluatedRule } from './evaluate-eligibility.ts';

/** Lists what an operator who reviews an advance has to decide about: the findings of the rules that it didn't pass. */
export function listReviewFindings(rules: readonly Pick<EvaluatedRule, 'outcome' | 'finding'>[]): string[] {
  return rules.filter(({ outcome }) => outcome !== 'pass').map(({ finding }) => finding);
}

/** Lists the findings that the operator hasn't seen. Rules are evaluated again during a review, for example after the trader acts. */
export function listUnseenFindings(rules: readonly EvaluatedRule[], seenFindings: readonly string[]): string[] {
  return listReviewFindings(rules).filter((finding) => !seenFindings.includes(finding));
}
