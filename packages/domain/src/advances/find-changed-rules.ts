import type { EvaluatedRule } from './evaluate-eligibility.ts';
import { NO_EARLIER_REFUNDS } from './no-earlier-refunds.ts';

/** Rules whose facts can change between approval and payout. Size and the company's exposure are settled at approval. */
const RULES_BEFORE_PAYOUT: readonly string[] = [
  'hmrc_connected',
  'no_overdue_return',
  'no_vat_debt',
  'no_unpaid_difference',
  'no_declined_refund',
  // Until the owner is verified, their other companies aren't known.
  'owners_total_reviewed',
  'not_insolvent',
  'limited_company_or_llp',
  'company_name',
  'account_holder',
  'bank_name_check',
  'identity_verified',
  'identity_of_officer',
];

/**
 * The refund at HMRC can also become doubtful after approval. If this rule fails, the payout's own check of HMRC's figures decides, because
 * it knows whether HMRC's payment has arrived.
 */
const REFUND_RULE = 'refund_still_owed';

/**
 * What earlier refunds said for this one. An acceptance has no end, and HMRC may claim one of them back before the trader confirms, also
 * after an operator has approved a refund that is large beside them.
 */
const HISTORY_RULES: readonly string[] = ['return_filed', 'refund_within_history'];

export type ChangedRules = {
  /** The first rule that currently fails. */
  readonly failed: EvaluatedRule | undefined;
  /** The first rule that needs another review, because its finding differs from the approved one. */
  readonly unreviewedRule: EvaluatedRule | undefined;
  /** The rules to store. Approved findings are kept, except that an identity may be verified later. */
  readonly merged: EvaluatedRule[];
};

/** Compares an approved advance's rules with their current results. */
export function findChangedRules(approvedRules: readonly EvaluatedRule[], current: readonly EvaluatedRule[]): ChangedRules {
  const relevantRules = current.filter(({ rule }) => RULES_BEFORE_PAYOUT.includes(rule));
  const findApprovedRule = (rule: string) => approvedRules.find((candidate) => candidate.rule === rule);
  // An unverified identity doesn't need another review, because the payout waits for it anyway.
  const refund = current.filter(({ rule, outcome }) => rule === REFUND_RULE && outcome === 'review');
  const history = current.filter(
    ({ rule, outcome }) => HISTORY_RULES.includes(rule) && outcome === 'review' && findApprovedRule(rule)?.finding !== NO_EARLIER_REFUNDS,
  );
  const unreviewedRule = [...relevantRules, ...refund, ...history].find(({ rule, outcome, finding }) => {
    if (outcome === 'pass' || outcome === 'fail' || rule === 'identity_verified') return false;
    const approvedRule = findApprovedRule(rule);
    return approvedRule?.outcome !== outcome || approvedRule.finding !== finding;
  });
  const isReplaced = ({ rule }: EvaluatedRule) =>
    unreviewedRule !== undefined || rule === 'identity_verified' || findApprovedRule(rule) === undefined;
  const replacedRules = [...relevantRules, ...refund, ...history].filter(isReplaced);
  return {
    failed: relevantRules.find(({ outcome }) => outcome === 'fail'),
    unreviewedRule,
    merged: [...approvedRules.filter(({ rule }) => !replacedRules.some((other) => other.rule === rule)), ...replacedRules],
  };
}
