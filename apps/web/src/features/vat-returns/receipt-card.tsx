/** HMRC's complete receipt, to read, print or save. Printing hides the rest of the page. */
import { formatInstant } from '@portal/domain/clock.ts';
import type { VatReturnOutput } from '@portal/contract/vat-returns.ts';
import { parseInstant } from '@portal/domain/clock.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { formatDate, parsePlainDate } from '@portal/domain/plain-date.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import GlobalStyles from '@mui/material/GlobalStyles';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { DIRECTION_LABELS } from '../../lib/direction-text.ts';
import { periodText } from '../../lib/period-text.ts';
import { InstantText } from '../../ui/date-text.tsx';
import { SectionCard } from '../../ui/section-card.tsx';

type Receipt = NonNullable<VatReturnOutput['receipt']>;

const PRINT = {
  '@media print': {
    // Removes everything except the receipt, its ancestors and its contents. Only hiding the rest would print blank pages.
    'body *:not(.receipt, :has(.receipt), .receipt *)': { display: 'none !important' },
    '.receipt button': { display: 'none' },
  },
};

export function ReceiptCard({ data, receipt }: { data: VatReturnOutput; receipt: Receipt }) {
  return (
    <Box className="receipt">
      <GlobalStyles styles={PRINT} />
      <SectionCard
        title="Receipt"
        aside={
          <Button variant="outlined" size="small" onClick={() => print()}>
            Print or save
          </Button>
        }
        source={`Filed through ${data.brand}. We keep this receipt for six years.`}
      >
        <Box
          component="dl"
          sx={{ m: 0, display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '240px 1fr' }, rowGap: { xs: 0, sm: 1 }, columnGap: 2 }}
        >
          {listFacts(data, receipt).map(([name, value]) => (
            <Box key={name} sx={{ display: 'contents' }}>
              <Typography component="dt" sx={{ color: 'text.secondary' }}>
                {name}
              </Typography>
              <Typography component="dd" sx={{ m: 0, mb: { xs: 1, sm: 0 }, overflowWrap: 'anywhere', fontWeight: 500 }}>
                {value}
              </Typography>
            </Box>
          ))}
        </Box>
        <Typography sx={{ mt: 2, maxWidth: '75ch' }}>
          <Box component="span" sx={{ color: 'text.secondary' }}>
            Declared:{' '}
          </Box>
          {receipt.declaration}
        </Typography>
      </SectionCard>
    </Box>
  );
}

function listFacts(data: VatReturnOutput, receipt: Receipt): [string, ReactNode][] {
  const { obligation, boxes } = data;
  const facts: [string, ReactNode][] = [['Period', periodText(obligation.period_start, obligation.period_end)]];
  if (boxes)
    facts.push(['Box 5', `${formatPounds(boxes.box5_pence)}, ${DIRECTION_LABELS[boxes.direction].replace(/^Y/, 'y').replace(/^N/, 'n')}`]);
  facts.push(
    ['Filed by', receipt.filed_by],
    [receipt.source === 'answer' ? 'Received by HMRC' : 'Found at HMRC', <InstantText key="at" at={receipt.received_at} />],
  );
  if (receipt.source === 'read_back') {
    facts.push(['How we know', 'HMRC’s own answer was lost. We read your HMRC account and found this return there, with these figures.']);
  }
  if (receipt.form_bundle_number) facts.push(['HMRC form bundle number', receipt.form_bundle_number]);
  if (receipt.processing_date) facts.push(['HMRC processing date', processingDateText(receipt.processing_date)]);
  if (receipt.receipt_id) facts.push(['HMRC receipt id', receipt.receipt_id]);
  if (receipt.charge_ref_number) facts.push(['HMRC charge reference', receipt.charge_ref_number]);
  if (receipt.payment_indicator)
    facts.push(['How HMRC settles it', PAYMENT_INDICATORS[receipt.payment_indicator] ?? receipt.payment_indicator]);
  return facts;
}

/** HMRC's codes (VAT MTD 1.0, submit). The texts are ours. */
const PAYMENT_INDICATORS: Readonly<Record<string, string>> = {
  BANK: 'By bank transfer: HMRC holds bank details for the repayment',
  DD: 'By Direct Debit: HMRC holds a Direct Debit Instruction',
};

/** HMRC sends a timestamp or a date. Anything else is shown unchanged, because a receipt is evidence. */
function processingDateText(text: string): string {
  const at = parseInstant(text);
  if (at) return formatInstant(at);
  const date = parsePlainDate(text);
  return date ? formatDate(date) : text;
}
