/** The estimate for the open period, based on the books: the amount, who pays it, its source and its date. */
import type { DashboardOutput } from '@portal/contract/dashboard.ts';
import { formatPounds } from '@portal/domain/money.ts';
import type { ReactNode } from 'react';
import { DIRECTION_LABELS, PROVISIONAL_DIRECTION_LABELS } from '../../lib/direction-text.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { Button } from '../../ui/button.tsx';
import { InstantText, PeriodText } from '../../components/formats/date-text.tsx';
import { KeyFigure } from '../../ui/key-figure.tsx';
import { Stack } from '../../ui/layout.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';

export function OpenPeriodCard({ data }: { data: DashboardOutput }) {
  const title = data.open_period?.ended ? 'Period to file' : 'Current period';
  return <SectionCard title={title}>{renderPeriod(data)}</SectionCard>;
}

function describeNoPeriod({ status, as_of: asOf }: DashboardOutput['hmrc']): string {
  if (asOf !== null) return 'No open periods. You’ve filed every return that HMRC expects.';
  return status === 'connected' ? 'We’re getting your VAT periods from HMRC.' : 'Connect HMRC to see what you owe or are owed.';
}

function renderPeriod({ open_period: period, company, hmrc }: DashboardOutput): ReactNode {
  if (!period) return <Text>{describeNoPeriod(hmrc)}</Text>;
  const dates = <PeriodText start={period.period_start} end={period.period_end} />;
  if (!period.estimate) {
    return (
      <Stack align="start">
        <Text>Your books have no transactions for {dates} yet.</Text>
        <Button to={getPageLink('stepBookkeeping', { company_id: company.company_id, from: 'dashboard' })} variant="outlined">
          Add your books
        </Button>
      </Stack>
    );
  }
  const labels = period.ended ? DIRECTION_LABELS : PROVISIONAL_DIRECTION_LABELS;
  return (
    <KeyFigure
      figure={formatPounds(period.estimate.box5_pence)}
      label={labels[period.estimate.direction]}
      details={
        <>
          <div>{dates}</div>
          From {period.rows.toLocaleString('en-GB')} {period.rows === 1 ? 'transaction' : 'transactions'}
          {period.source && ` in ${period.source}`}
          {period.as_of && (
            <>
              , <InstantText at={period.as_of} />
            </>
          )}
        </>
      }
    />
  );
}
