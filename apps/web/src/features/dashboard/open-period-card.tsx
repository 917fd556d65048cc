/** How much: the open period's estimate from the books, with who pays in words, its source and its time. */
import type { DashboardOutput } from '@portal/contract/dashboard.ts';
import { formatPounds } from '@portal/domain/money.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { DIRECTION_WORDS, DIRECTION_WORDS_SO_FAR } from '../../lib/direction-text.ts';
import { pageLink } from '../../lib/page-link.ts';
import { InstantText, PeriodText } from '../../ui/date-text.tsx';
import { KeyFigure } from '../../ui/key-figure.tsx';
import { SectionCard } from '../../ui/section-card.tsx';

export function OpenPeriodCard({ data }: { data: DashboardOutput }) {
  return <SectionCard title="The open period">{renderPeriod(data)}</SectionCard>;
}

function renderPeriod({ open_period: period, company, hmrc }: DashboardOutput): ReactNode {
  if (!period) {
    return (
      <Typography>
        {hmrc.as_of === null
          ? 'Once HMRC is connected, this shows what the open period comes to.'
          : 'No period is open: every return that HMRC expects is filed.'}
      </Typography>
    );
  }
  const dates = <PeriodText start={period.period_start} end={period.period_end} />;
  if (!period.estimate) {
    return (
      <>
        <Typography sx={{ mb: 2 }}>Your books hold no transactions for {dates} yet, so there is no figure to show.</Typography>
        <Button component={Link} to={pageLink('stepBookkeeping', { company_id: company.company_id })} variant="outlined">
          Add your books
        </Button>
      </>
    );
  }
  const words = period.ended ? DIRECTION_WORDS : DIRECTION_WORDS_SO_FAR;
  return (
    <KeyFigure
      figure={formatPounds(period.estimate.box5_pence)}
      label={words[period.estimate.direction]}
      details={
        <>
          <Box component="span" sx={{ display: 'block' }}>
            For {dates}
          </Box>
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
