import { NeedsRight } from '../../components/companies/needs-right.tsx';
import { getPageLink } from '../../lib/page-link.ts';
import { Button } from '../../ui/button.tsx';
import { Stack } from '../../ui/layout.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import { RequoteButton } from './requote-button.tsx';

type NoAdvanceProps = { reason: string | null; companyId: string; obligationId: string | undefined };

/** Shown if there is no offer: the reason, and how to get one. */
export function NoAdvance({ reason, companyId, obligationId }: NoAdvanceProps) {
  return (
    <SectionCard title="No offer yet">
      <Stack align="start">
        <Text measure>{reason ?? 'When HMRC owes you a VAT refund, you can get it here within 24 hours.'}</Text>
        {obligationId === undefined ? (
          <Button to={getPageLink('dashboard', { company_id: companyId })}>Go to the dashboard</Button>
        ) : (
          <NeedsRight companyId={companyId} access="company.accept_advance" to="get an offer">
            <RequoteButton companyId={companyId} obligationId={obligationId} label="Get an offer" />
          </NeedsRight>
        )}
      </Stack>
    </SectionCard>
  );
}
