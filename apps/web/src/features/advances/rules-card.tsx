/**
 * The rules as the trader sees them, with a link to fix any rule that isn’t met. Also shows rules that we can't evaluate, because the
 * refund is then reviewed manually.
 */
import { PAGES } from '@portal/contract/pages.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { Stack } from '../../ui/layout.tsx';
import { RuleList } from '../../components/advances/rule-list.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import type { AdvancePartProps } from './advance-part.ts';

export function RulesCard({ advance, companyId }: AdvancePartProps) {
  const { rules } = advance;
  const failedCount = rules.filter((rule) => rule.outcome === 'fail').length;
  const isReviewed = rules.some((rule) => rule.outcome === 'review' || rule.outcome === 'not_judged');
  const query = { company_id: companyId };
  const getFixLink = (rule: string) => {
    switch (rule) {
      case 'hmrc_connected':
        return { label: 'Connect to HMRC', to: getPageLink('linkHmrcAccount', query) };
      case 'bank_account_known':
        return { label: 'Add your bank account', to: getPageLink('stepBankAccount', query) };
      case 'account_holder':
      case 'bank_name_check':
        return { label: 'Check your bank account', to: getPageLink('stepBankAccount', query) };
      case 'company_name':
        return { label: 'Check your company’s details', to: getPageLink('stepCompany', query) };
      case 'identity_verified':
        return { label: 'Verify your identity', to: PAGES.verifyIdentity.path };
      case 'no_overdue_return':
        return { label: 'See overdue returns', to: getPageLink('dashboard', { ...query, returns: 'overdue' }) };
      case 'no_vat_debt':
        return { label: 'Refresh on the dashboard', to: getPageLink('dashboard', query) };
      case 'return_filed':
        return { label: 'Open the return', to: getPageLink('vatReturn', { ...query, obligation_id: advance.obligation_id }) };
      default:
        return null;
    }
  };
  return (
    <SectionCard title="What we checked">
      <Stack gap={8}>
        <Text>
          {failedCount > 0
            ? `${failedCount === 1 ? 'One condition hasn’t been' : `${failedCount} conditions haven’t been`} met.`
            : isReviewed
              ? 'You qualify. We’ll do a quick manual review once you accept.'
              : 'You qualify.'}
        </Text>
        <RuleList rules={rules} getFixLink={getFixLink} />
      </Stack>
    </SectionCard>
  );
}
