import type { RuleOutcomeOutput } from '@portal/contract/advances.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router';
import { FLUSH_LEFT } from './flush-left.ts';
import { Icon, type IconName } from './icons.tsx';

/** What each rule checks, by rule name. The outcome says how it went, the finding has the figures. */
export const RULE_NAMES: Readonly<Record<string, string>> = {
  return_filed: 'The return at HMRC',
  refund_still_owed: 'The refund at HMRC',
  hmrc_connected: 'Connection to HMRC',
  no_overdue_return: 'Overdue returns',
  no_vat_debt: 'VAT owed to HMRC',
  refund_within_history: 'Compared with earlier refunds',
  registered_long_enough: 'Time registered for VAT',
  not_insolvent: 'Solvency',
  bank_account_known: 'Bank account',
  amount_reviewed: 'Size of the refund',
  company_exposure: 'Limit for one company',
  total_exposure: 'Limit for all companies',
  debts_on_other_taxes: 'Debts on other taxes',
  limited_company_or_llp: 'Legal form',
  bank_name_check: 'Name on the bank account',
  identity_verified: 'Identity of the owner',
};

const OUTCOME_LABELS: Readonly<Record<RuleOutcomeOutput['outcome'], { icon: IconName; tone: string; label: string }>> = {
  fail: { icon: 'errorCircle', tone: 'error.tone', label: 'Not met' },
  review: { icon: 'clock', tone: 'warning.tone', label: 'A person looks at it' },
  not_judged: { icon: 'help', tone: 'info.tone', label: 'Not judged' },
  pass: { icon: 'check', tone: 'success.tone', label: 'Met' },
};

/** Problems first. */
const ORDER: readonly RuleOutcomeOutput['outcome'][] = ['fail', 'review', 'not_judged', 'pass'];

type RuleListProps = {
  rules: readonly RuleOutcomeOutput[];
  /** Returns a link to fix a failed rule. Without it the reader is an operator, and the advice for the trader is left out. */
  getFixLink?: (rule: string) => { readonly label: string; readonly to: string } | null;
};

/** The eligibility rules of an advance. Rules that passed are behind a button, because readers look for what is open or failed. */
export function RuleList({ rules, getFixLink }: RuleListProps) {
  const [showsPassed, setShowsPassed] = useState(false);
  const passed = rules.filter((rule) => rule.outcome === 'pass').length;
  const shown = rules.filter((rule) => showsPassed || rule.outcome !== 'pass');
  return (
    <>
      {shown.length > 0 ? <Rules rules={shown} getFixLink={getFixLink} /> : null}
      {passed > 0 ? (
        <Button
          variant="text"
          size="small"
          aria-expanded={showsPassed}
          onClick={() => setShowsPassed(!showsPassed)}
          sx={{ ...FLUSH_LEFT, mt: 1 }}
        >
          {showsPassed
            ? `Hide the ${passed} that ${passed === 1 ? 'is' : 'are'} met`
            : `Show the ${passed} that ${passed === 1 ? 'is' : 'are'} met`}
        </Button>
      ) : null}
    </>
  );
}

/** Each rule with its outcome, the finding and how to fix it. */
function Rules({ rules, getFixLink }: { rules: RuleListProps['rules']; getFixLink: RuleListProps['getFixLink'] }) {
  const ordered = rules.toSorted((a, b) => ORDER.indexOf(a.outcome) - ORDER.indexOf(b.outcome));
  return (
    <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
      {ordered.map((rule) => {
        const outcome = OUTCOME_LABELS[rule.outcome];
        const link = rule.outcome === 'fail' ? getFixLink?.(rule.rule) : null;
        return (
          <Box
            component="li"
            key={rule.rule}
            sx={{ display: 'flex', gap: 1.5, py: 1.25, '& + &': { borderTop: 1, borderColor: 'divider' } }}
          >
            <Icon name={outcome.icon} sx={{ color: outcome.tone, mt: '2px', fontSize: 20 }} />
            <Box sx={{ minWidth: 0 }}>
              <Typography sx={{ fontWeight: 500 }}>
                {RULE_NAMES[rule.rule] ?? rule.rule.replaceAll('_', ' ')}
                <Box component="span" sx={{ color: outcome.tone, fontSize: '0.875rem', fontWeight: 600, ml: 1 }}>
                  {outcome.label}
                </Box>
              </Typography>
              <Typography variant="body2" sx={{ color: 'text.secondary', maxWidth: '72ch' }}>
                {rule.finding}
              </Typography>
              {rule.mend === '' || getFixLink === undefined ? null : (
                <Typography variant="body2" sx={{ mt: 0.25, maxWidth: '72ch' }}>
                  {rule.mend}{' '}
                  {link ? (
                    <Link component={RouterLink} to={link.to}>
                      {link.label}
                    </Link>
                  ) : null}
                </Typography>
              )}
            </Box>
          </Box>
        );
      })}
    </Box>
  );
}
