/**
 * The figures of the offer: the amount received first, then the refund, the fee and how it is calculated, and how long the offer is valid.
 */
import { applyRate, formatPounds } from '@portal/domain/money.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { periodText } from '../../lib/period-text.ts';
import { InstantText } from '../../ui/date-text.tsx';
import { KeyFigure } from '../../ui/key-figure.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import type { AdvancePartProps } from './advance-part.ts';

export function FiguresCard({ advance }: AdvancePartProps) {
  const rate = advance.fee_rate_bps / 100;
  const isMinimum = advance.fee_pence > applyRate(advance.refund_pence, advance.fee_rate_bps, 'half-away');
  const account = advance.payout_account;
  const isOpenOffer = advance.state === 'quoted' && advance.eligible;
  const receive =
    advance.hours_to_payout !== null
      ? 'You received'
      : advance.state === 'quoted' && !advance.eligible
        ? 'You could receive'
        : 'You receive';
  return (
    <SectionCard
      title="The figures"
      source={
        <>
          Priced on <InstantText at={advance.quoted_at} /> for the return of {periodText(advance.period_start, advance.period_end)}
          {advance.found_on === null
            ? ''
            : `, filed with other software: HMRC received it on ${formatDate(advance.found_on)} and shows us its figures`}
          .
        </>
      }
    >
      <KeyFigure
        figure={formatPounds(advance.net_pence)}
        label={receive}
        details={
          account ? `To ${account.account_holder}, account ending ${account.account_number_end}` : 'Your bank account is not added yet'
        }
      />
      <Box component="dl" sx={{ m: 0, mt: 2 }}>
        <Line name="Refund that HMRC owes you" value={formatPounds(advance.refund_pence)} />
        <Line name={isMinimum ? 'Our fee, the minimum' : `Our fee, ${rate}% of the refund`} value={`-${formatPounds(advance.fee_pence)}`} />
        <Line name={receive} value={formatPounds(advance.net_pence)} strong />
        {isOpenOffer ? (
          <Line name="Paid, if you accept now, by" value={<InstantText at={advance.pay_by} />} />
        ) : advance.hours_to_payout === null && advance.agreement.accepted_at ? (
          <Line name="Paid by" value={<InstantText at={advance.pay_by} />} />
        ) : null}
        {isOpenOffer ? <Line name="The offer stands until" value={<InstantText at={advance.valid_until} />} /> : null}
        {advance.received_pence > 0 ? <Line name="Received from HMRC" value={formatPounds(advance.received_pence)} /> : null}
      </Box>
    </SectionCard>
  );
}

function Line({ name, value, strong = false }: { name: string; value: React.ReactNode; strong?: boolean }) {
  return (
    <Box
      sx={{ display: 'flex', flexWrap: 'wrap', justifyContent: 'space-between', columnGap: 2, py: 1, borderTop: 1, borderColor: 'divider' }}
    >
      <Typography component="dt" sx={{ fontWeight: strong ? 600 : 400 }}>
        {name}
      </Typography>
      <Typography component="dd" sx={{ m: 0, ml: 'auto', fontVariantNumeric: 'tabular-nums', fontWeight: strong ? 600 : 500 }}>
        {value}
      </Typography>
    </Box>
  );
}
