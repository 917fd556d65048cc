import type { RuleOutcomeOutput } from '@portal/contract/advances.ts';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import styles from './rule-list.module.css';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import type { Tone } from '../../ui/tone.ts';

/** Describes each rule's check, by rule name. The outcome shows the result; the finding has the figures. */
export const RULE_NAMES: Readonly<Record<string, string>> = {
  return_filed: 'Return at HMRC',
  refund_still_owed: 'Refund at HMRC',
  hmrc_connected: 'HMRC connection',
  no_overdue_return: 'Overdue returns',
  no_vat_debt: 'VAT owed to HMRC',
  refund_within_history: 'Compared with earlier refunds',
  registered_long_enough: 'Time registered for VAT',
  not_insolvent: 'Solvency',
  bank_account_known: 'Bank account',
  amount_reviewed: 'Size of the refund',
  no_unpaid_difference: 'Earlier shortfalls',
  no_declined_refund: 'Earlier offers',
  owners_total_reviewed: 'Refunds of the same owner',
  company_exposure: 'Limit for one company',
  total_exposure: 'Limit for all companies',
  debts_on_other_taxes: 'Debts on other taxes',
  limited_company_or_llp: 'Legal form and status',
  bank_name_check: 'Name on the bank account',
  company_name: 'Company name',
  account_holder: 'Account holder',
  identity_verified: 'Owner’s identity',
  identity_of_officer: 'Owner’s role in the company',
};

const OUTCOME_LABELS: Readonly<Record<RuleOutcomeOutput['outcome'], { icon: IconName; tone: Tone; label: string }>> = {
  fail: { icon: 'errorCircle', tone: 'error', label: 'Not met' },
  review: { icon: 'clock', tone: 'warning', label: 'Manual review' },
  not_judged: { icon: 'help', tone: 'warning', label: 'Needs a check' },
  pass: { icon: 'check', tone: 'success', label: 'Met' },
};

/** Rules that traders can meet themselves, although an operator could also review them. */
const LINKED_REVIEWS: ReadonlySet<string> = new Set(['identity_verified', 'bank_name_check']);

/** The trader must act first, so a review of ours isn't what is missing. */
const ACTION_NEEDED = { icon: 'warning', tone: 'warning', label: 'Action needed' } as const;

/** Problems come first. */
const ORDER: readonly RuleOutcomeOutput['outcome'][] = ['fail', 'review', 'not_judged', 'pass'];

type RuleListProps = {
  rules: readonly RuleOutcomeOutput[];
  /** Returns a link to fix a failed rule. Omitted for operators, who don't see the trader's advice either. */
  getFixLink?: (rule: string) => { readonly label: string; readonly to: string } | null;
};

/** An advance's eligibility rules. Rules that are met are behind a button, because readers look for pending or failed ones. */
export function RuleList({ rules, getFixLink }: RuleListProps) {
  const [showsPassed, setShowsPassed] = useState(false);
  const passedCount = rules.filter((rule) => rule.outcome === 'pass').length;
  const shownRules = rules.filter((rule) => showsPassed || rule.outcome !== 'pass');
  return (
    <div>
      {shownRules.length > 0 && <Rules rules={shownRules} getFixLink={getFixLink} />}
      {passedCount > 0 && (
        <Button
          variant="text"
          size="small"
          fit="flush"
          aria-expanded={showsPassed}
          onClick={() => setShowsPassed(!showsPassed)}
          className={styles.passed}
        >
          {`${showsPassed ? 'Hide' : 'Show'} the ${passedCount} that ${passedCount === 1 ? 'is' : 'are'} met`}
        </Button>
      )}
    </div>
  );
}

/** Shows each rule with its outcome, the finding and how to fix it. */
function Rules({ rules, getFixLink }: { rules: RuleListProps['rules']; getFixLink: RuleListProps['getFixLink'] }) {
  const orderedRules = rules.toSorted((a, b) => ORDER.indexOf(a.outcome) - ORDER.indexOf(b.outcome));
  return (
    <Stack as="ul" gap={0}>
      {orderedRules.map((rule) => {
        const link = rule.outcome === 'fail' || LINKED_REVIEWS.has(rule.rule) ? getFixLink?.(rule.rule) : null;
        const outcome = link && rule.outcome === 'review' ? ACTION_NEEDED : OUTCOME_LABELS[rule.outcome];
        return (
          <Row as="li" key={rule.rule} align="start" wrap={false} className={styles.rule}>
            <Icon name={outcome.icon} tone={outcome.tone} size={20} className={styles.icon} />
            <Stack gap={4}>
              <Text weight="medium">
                {RULE_NAMES[rule.rule] ?? rule.rule.replaceAll('_', ' ')}
                <Text as="span" tone={outcome.tone} weight="bold" className={styles.outcome}>
                  {outcome.label}
                </Text>
              </Text>
              <Text size="small" tone="quiet" measure>
                {rule.finding}
              </Text>
              {rule.how_to_fix !== '' && getFixLink !== undefined && (
                <Text size="small" measure>
                  {rule.how_to_fix} {link && <TextLink to={link.to}>{link.label}</TextLink>}
                </Text>
              )}
            </Stack>
          </Row>
        );
      })}
    </Stack>
  );
}
