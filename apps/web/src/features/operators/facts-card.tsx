/** The figures of the advance and its payout, to the penny. */
import { formatPounds } from '@portal/domain/money.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { formatVrn } from '@portal/domain/uk-tax/references/vrn.ts';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { periodText } from '../../lib/period-text.ts';
import { InstantText } from '../../ui/date-text.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { ShortHash } from '../../ui/short-hash.tsx';
import type { OperatorPartProps } from './operator-outputs.ts';

export function FactsCard({ data }: OperatorPartProps) {
  return (
    <SectionCard title="Figures">
      <Box component="dl" sx={{ m: 0 }}>
        {listFacts(data).map(([name, value]) => (
          <Box
            key={name}
            sx={{
              display: 'flex',
              flexWrap: 'wrap',
              alignItems: 'baseline',
              justifyContent: 'space-between',
              columnGap: 2,
              py: 0.75,
              borderTop: 1,
              borderColor: 'divider',
            }}
          >
            <Typography component="dt" sx={{ color: 'text.secondary' }}>
              {name}
            </Typography>
            <Typography
              component="dd"
              sx={{ m: 0, ml: 'auto', fontWeight: 500, fontVariantNumeric: 'tabular-nums', overflowWrap: 'anywhere' }}
            >
              {value}
            </Typography>
          </Box>
        ))}
      </Box>
    </SectionCard>
  );
}

function listFacts({ company, advance, payout }: OperatorPartProps['data']): [string, ReactNode][] {
  const facts: [string, ReactNode][] = [
    ['VAT number', company.vrn === '' ? 'not known' : formatVrn(company.vrn)],
    ['Period', periodText(advance.period_start, advance.period_end)],
    ['Return', advance.found_on === null ? 'filed through us' : 'filed with other software'],
    ...(advance.found_on === null ? [] : [['Received by HMRC', formatDate(advance.found_on)] satisfies [string, ReactNode]]),
    ['Refund', formatPounds(advance.refund_pence)],
    [`Fee (${advance.fee_rate_bps / 100}%, at least £5)`, formatPounds(advance.fee_pence)],
    ['To pay out', formatPounds(advance.net_pence)],
    ['Received from HMRC', formatPounds(advance.received_pence)],
    ['Quoted', <InstantText key="quoted" at={advance.quoted_at} />],
    ['To be paid by', <InstantText key="pay-by" at={advance.pay_by} />],
  ];
  if (advance.agreement.accepted_at) {
    facts.push(
      ['Accepted', <InstantText key="accepted" at={advance.agreement.accepted_at} />],
      ['Accepted by', advance.agreement.accepted_by ?? 'not known'],
      ['Agreement (SHA-256)', <ShortHash key="hash" hash={advance.agreement.hash} what="fingerprint of the agreement" />],
    );
  }
  if (advance.repayment_expected_on) facts.push(['HMRC expected to repay by', formatDate(advance.repayment_expected_on)]);
  if (advance.collection_account) {
    facts.push([
      'Collection account at HMRC',
      advance.collection_account.confirmed_at ? (
        <>
          trader says since <InstantText at={advance.collection_account.confirmed_at} />
        </>
      ) : (
        'not confirmed'
      ),
    ]);
  }
  if (payout) {
    facts.push(['Payout', payout.status], ['Payout id at the provider', payout.provider_payout_id ?? 'none yet']);
    if (payout.failure) facts.push(['Payout failure', payout.failure]);
  }
  return facts;
}
