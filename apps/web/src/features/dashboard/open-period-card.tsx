/** The open period's estimate from the books: the amount, who pays it, its source and its time. */
import type { DashboardOutput } from '@portal/contract/dashboard.ts';
import { formatPounds } from '@portal/domain/money.ts';
import type { ReactNode } from 'react';
import { DIRECTION_LABELS, PROVISIONAL_DIRECTION_LABELS } from '../../lib/direction-text.ts';
import { pageLink } from '../../lib/page-link.ts';
import { InstantText, PeriodText } from '../../ui/date-text.tsx';
import { KeyFigure } from '../../ui/key-figure.tsx';
import { LinkButton } from '../../ui/plain-button.tsx';
import { SectionCard } from '../../ui/section-card.tsx';

export function OpenPeriodCard({ data }: { data: DashboardOutput }) {
  return <SectionCard title="The open period">{renderPeriod(data)}</SectionCard>;
}

function renderPeriod({ open_period: period, company, hmrc }: DashboardOutput): ReactNode {
  if (!period) {
    return (
      <p className="p-text">
        {hmrc.as_of === null
          ? 'Once HMRC is connected, this shows what the open period comes to.'
          : 'No period is open: every return that HMRC expects is filed.'}
      </p>
    );
  }
  const dates = <PeriodText start={period.period_start} end={period.period_end} />;
  if (!period.estimate) {
    return (
      <>
        <p className="p-dash-read">Your books hold no transactions for {dates} yet, so there is no figure to show.</p>
        <LinkButton to={pageLink('stepBookkeeping', { company_id: company.company_id })} variant="outlined">
          Add your books
        </LinkButton>
      </>
    );
  }
  const words = period.ended ? DIRECTION_LABELS : PROVISIONAL_DIRECTION_LABELS;
  return (
    <KeyFigure
      figure={formatPounds(period.estimate.box5_pence)}
      label={words[period.estimate.direction]}
      details={
        <>
          <div>For {dates}</div>
          Estimate from {period.rows.toLocaleString('en-GB')} {period.rows === 1 ? 'transaction' : 'transactions'}
          {period.source ? ` in ${period.source}` : ''}
          {period.as_of ? (
            <>
              , <InstantText at={period.as_of} />
            </>
          ) : null}
        </>
      }
    />
  );
}
