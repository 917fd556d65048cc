/**
 * The rules as the trader sees them, with a link to fix a rule that is not met.
 * Rules that we can't evaluate yet are left out: they are for operators and say nothing about the trader.
 */
import Typography from '@mui/material/Typography';
import { pageLink } from '../../lib/page-link.ts';
import { RuleList } from '../../ui/rule-list.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import type { AdvancePartProps } from './advance-part.ts';

export function RulesCard({ advance, companyId }: AdvancePartProps) {
  const rules = advance.rules.filter((rule) => rule.outcome !== 'not_judged');
  const failed = rules.filter((rule) => rule.outcome === 'fail').length;
  const reviewed = rules.some((rule) => rule.outcome === 'review');
  const query = { company_id: companyId };
  const fixLink = (rule: string) => {
    switch (rule) {
      case 'hmrc_connected':
        return { label: 'Connect to HMRC', to: pageLink('linkHmrcAccount', query) };
      case 'bank_account_known':
        return { label: 'Add your bank account', to: pageLink('stepBankAccount', query) };
      case 'no_overdue_return':
        return { label: 'See the overdue returns', to: pageLink('dashboard', { ...query, returns: 'overdue' }) };
      case 'no_vat_debt':
        return { label: 'Refresh on the dashboard', to: pageLink('dashboard', query) };
      case 'return_filed':
        return { label: 'Open the return', to: pageLink('vatReturn', { ...query, obligation_id: advance.obligation_id }) };
      default:
        return null;
    }
  };
  return (
    <SectionCard title="What we checked">
      <Typography sx={{ mb: 1 }}>
        {failed > 0
          ? `${failed === 1 ? 'One rule is' : `${failed} rules are`} not met.`
          : reviewed
            ? 'Everything is met; a person takes a look after you accept.'
            : 'Everything is met.'}
      </Typography>
      <RuleList rules={rules} getFixLink={fixLink} />
    </SectionCard>
  );
}
