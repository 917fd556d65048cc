/** The advance on the dashboard: its amounts in one line, then its status. */
import type { DashboardOutput } from '@portal/contract/dashboard.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { pageLink } from '../../lib/page-link.ts';
import { KeyFigure } from '../../ui/key-figure.tsx';
import { LinkButton } from '../../ui/plain-button.tsx';
import { RefundTimeline } from '../../ui/refund-timeline.tsx';
import { SectionCard } from '../../ui/section-card.tsx';

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

function netLabel({ state, eligible }: Advance): string {
  if (PAID_STATES.has(state)) return 'paid to you';
  if (state === 'declined' || state === 'withdrawn' || state === 'expired') return 'was offered to you';
  if (state === 'quoted') return eligible ? 'to you within 24 hours, if you accept' : 'could be yours within 24 hours';
  return 'on its way to you';
}

export function AdvanceCard({ data, isMain }: { data: DashboardOutput; isMain: boolean }) {
  const { advance, company } = data;
  if (!advance) {
    return (
      <SectionCard title="Your refund, early">
        <p className="p-dash-words">
          There is no refund to bring forward now. When HMRC holds a return that it owes you money for, filed here or with other software,
          you can get it here: we pay you within 24 hours and wait for HMRC ourselves.
        </p>
      </SectionCard>
    );
  }
  return (
    <SectionCard title="Your refund, early">
      <KeyFigure
        figure={formatPounds(advance.net_pence)}
        label={netLabel(advance)}
        details={`Refund ${formatPounds(advance.refund_pence)}, less our fee of ${formatPounds(advance.fee_pence)}`}
      />
      <div className="p-dash-way">
        <RefundTimeline stages={advance.timeline} label="The way of your refund" />
      </div>
      <div className="p-dash-way">
        <LinkButton
          to={pageLink('advance', { company_id: company.company_id, obligation_id: advance.obligation_id })}
          variant={isMain ? 'contained' : 'outlined'}
        >
          {advance.state === 'quoted' && advance.eligible ? 'See the offer' : 'See the details'}
        </LinkButton>
      </div>
    </SectionCard>
  );
}
