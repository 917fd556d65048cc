/** The advance on the dashboard: its amounts in one line, then its progress. */
import type { DashboardOutput } from '@portal/contract/dashboard.ts';
import { ENDED_UNPAID_STATES } from '@portal/domain/advances/advance-states.ts';
import { formatPounds, pence } from '@portal/domain/money.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { Button } from '../../ui/button.tsx';
import { KeyFigure } from '../../ui/key-figure.tsx';
import { Stack } from '../../ui/layout.tsx';
import { ClaimedRefund, findClaimedRefund } from '../../components/advances/claimed-refund.tsx';
import { RefundTimeline } from '../../components/advances/refund-timeline.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';

type Advance = NonNullable<DashboardOutput['advance']>;

const PAID_STATES: ReadonlySet<Advance['state']> = new Set([
  'paid',
  'awaiting_hmrc',
  'repaid',
  'settled',
  'shortfall',
  'collecting',
  'written_off',
]);

function getNetLabel({ state, eligible }: Advance): string {
  if (PAID_STATES.has(state)) return 'Paid to you';
  if (ENDED_UNPAID_STATES.includes(state)) return 'We offered you';
  if (state === 'quoted') return eligible ? 'You can get this early if you accept' : 'You could get this early';
  return state === 'paying' ? 'On its way to you' : 'You’ll receive';
}

function describePrice({ refund_pence: refund, fee_pence: fee, net_pence: net }: Advance): string {
  const deductedAmount = pence(refund - fee - net);
  const deductedText = deductedAmount > 0 ? ` · Deducted for what you owe us ${formatPounds(deductedAmount)}` : '';
  return `Refund ${formatPounds(refund)} · Our fee ${formatPounds(fee)}${deductedText}`;
}

/** A refund for a period that has ended leads to an offer once the return is filed; the task to file it says the same. */
function describeNoAdvance({ open_period, obligations }: DashboardOutput): string {
  const openObligation = obligations.find(({ obligation_id }) => obligation_id === open_period?.obligation_id);
  if (open_period?.ended === true && openObligation?.amount?.direction === 'repayment')
    return 'File your VAT return first. If you qualify, we’ll make you an offer, and you can decide whether to take it.';
  return 'No refund to pay early right now. When HMRC owes you a VAT refund, you can get it here within 24 hours.';
}

export function AdvanceCard({ data }: { data: DashboardOutput }) {
  const { advance, company } = data;
  const claimed = findClaimedRefund(data);
  if (!advance) {
    return (
      <SectionCard title="Early refund">
        {claimed === undefined ? (
          <Text measure>{describeNoAdvance(data)}</Text>
        ) : (
          <ClaimedRefund claimed={claimed} companyId={company.company_id} />
        )}
      </SectionCard>
    );
  }
  return (
    <SectionCard title="Early refund">
      <Stack gap={24} align="start">
        <KeyFigure figure={formatPounds(advance.net_pence)} label={getNetLabel(advance)} details={describePrice(advance)} />
        <RefundTimeline stages={advance.timeline} label="Refund progress" compact />
        <Button to={getPageLink('advance', { company_id: company.company_id, obligation_id: advance.obligation_id })} variant="outlined">
          See the details
        </Button>
        {claimed !== undefined && <ClaimedRefund claimed={claimed} companyId={company.company_id} />}
      </Stack>
    </SectionCard>
  );
}
