import type { RuleOutcomeOutput } from '@portal/contract/advances.ts';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { Link as RouterLink } from 'react-router';
import { Icon, type IconName } from './icons.tsx';

/** What a rule asks, in a few words; the finding beside it has the figures. */
const NAMES: Readonly<Record<string, string>> = {
  return_filed: 'HMRC has accepted the return',
  hmrc_connected: 'HMRC is connected',
  no_overdue_return: 'No return is overdue',
  no_vat_debt: 'No VAT is owed to HMRC',
  refund_within_history: 'The refund is in line with earlier ones',
  registered_long_enough: 'Registered for VAT long enough',
  not_insolvent: 'The business is not insolvent',
  bank_account_known: 'We know where to pay',
  amount_reviewed: 'The amount needs no second look',
  company_exposure: 'Within the limit for one company',
  total_exposure: 'Within the limit for all companies',
  debts_on_other_taxes: 'No debts on other taxes',
  limited_company_or_llp: 'A limited company or LLP',
  bank_name_check: 'The account is in the company’s name',
  identity_verified: 'The owner’s identity is verified',
};

const LOOK: Readonly<Record<RuleOutcomeOutput['outcome'], { icon: IconName; tone: string; word: string }>> = {
  fail: { icon: 'errorCircle', tone: 'error.tone', word: 'Not met' },
  review: { icon: 'clock', tone: 'warning.tone', word: 'A person looks at it' },
  not_judged: { icon: 'help', tone: 'info.tone', word: 'Not judged' },
  pass: { icon: 'check', tone: 'success.tone', word: 'Met' },
};

/** What stands in the way comes first. */
const ORDER: readonly RuleOutcomeOutput['outcome'][] = ['fail', 'review', 'not_judged', 'pass'];

type RuleListProps = {
  rules: readonly RuleOutcomeOutput[];
  /** Where a failing rule is mended, for those who can. */
  mendLink?: (rule: string) => { readonly label: string; readonly to: string } | null;
};

/** The rules an advance is judged by: each with its outcome in a word, what was found, and how to mend it. */
export function RuleList({ rules, mendLink }: RuleListProps) {
  const ordered = rules.toSorted((a, b) => ORDER.indexOf(a.outcome) - ORDER.indexOf(b.outcome));
  return (
    <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
      {ordered.map((rule) => {
        const look = LOOK[rule.outcome];
        const link = rule.outcome === 'fail' ? mendLink?.(rule.rule) : null;
        return (
          <Box
            component="li"
            key={rule.rule}
            sx={{ display: 'flex', gap: 1.5, py: 1.25, '& + &': { borderTop: 1, borderColor: 'divider' } }}
          >
            <Icon name={look.icon} sx={{ color: look.tone, mt: '2px', fontSize: 20 }} />
            <Box sx={{ minWidth: 0 }}>
              <Typography sx={{ fontWeight: 500 }}>
                {NAMES[rule.rule] ?? rule.rule.replaceAll('_', ' ')}
                <Box component="span" sx={{ color: look.tone, fontSize: '0.875rem', fontWeight: 600, ml: 1 }}>
                  {look.word}
                </Box>
              </Typography>
              <Typography variant="body2" color="text.secondary" sx={{ maxWidth: '72ch' }}>
                {rule.finding}
              </Typography>
              {rule.mend === '' ? null : (
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
