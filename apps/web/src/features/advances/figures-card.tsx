/** The offer's figures: first the amount received, then the refund, the fee and its calculation, and how long the offer is valid. */
import { QUOTE_FILE_PATH } from '@portal/contract/documents.ts';
import { ENDED_UNPAID_STATES } from '@portal/domain/advances/advance-states.ts';
import { applyRate, formatPounds, pence } from '@portal/domain/money.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { periodText } from '../../lib/period-text.ts';
import { getPayoutAmount } from '../../components/advances/payout-amount.ts';
import { InstantText } from '../../components/formats/date-text.tsx';
import { DownloadButton } from '../../components/documents/download-button.tsx';
import { KeyFigure } from '../../ui/key-figure.tsx';
import { Stack } from '../../ui/layout.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import type { AdvancePartProps } from './advance-part.ts';
import { DetailList, type Detail } from './detail-list.tsx';

export function FiguresCard({ advance, companyId }: AdvancePartProps) {
  const account = advance.payout_account;
  return (
    <SectionCard
      title="Amounts"
      aside={
        <DownloadButton
          path={QUOTE_FILE_PATH}
          query={{ company_id: companyId, advance_id: advance.advance_id }}
          label="Download offer"
          name={`Download offer for ${periodText(advance.period_start, advance.period_end)} as a PDF`}
        />
      }
      source={
        <>
          Priced on <InstantText at={advance.quoted_at} /> for the return for {periodText(advance.period_start, advance.period_end)}
          {advance.found_on !== null && `, filed with other software. HMRC received it on ${formatDate(advance.found_on)}`}.
        </>
      }
    >
      <Stack>
        <KeyFigure
          figure={formatPounds(getPayoutAmount(advance))}
          label={getReceiveLabel(advance)}
          details={
            ENDED_UNPAID_STATES.includes(advance.state)
              ? undefined
              : account
                ? `To ${account.account_holder}, account ending ${account.account_number_end}`
                : 'You haven’t added your bank account yet'
          }
        />
        <DetailList details={listDetails(advance)} />
      </Stack>
    </SectionCard>
  );
}

function getReceiveLabel({ hours_to_payout: hours, state, eligible }: AdvancePartProps['advance']): string {
  if (hours !== null) return 'You received';
  if (ENDED_UNPAID_STATES.includes(state)) return 'We offered you';
  return state === 'quoted' && !eligible ? 'You could receive' : 'You receive';
}

function listDetails(advance: AdvancePartProps['advance']): Detail[] {
  const rate = advance.fee_rate_bps / 100;
  const isMinimumFee = advance.fee_pence > applyRate(advance.refund_pence, advance.fee_rate_bps, 'half-away');
  const isOpenOffer = advance.state === 'quoted' && advance.eligible;
  const details: Detail[] = [
    { name: 'Refund from HMRC', value: formatPounds(advance.refund_pence) },
    { name: isMinimumFee ? 'Our fee (minimum)' : `Our fee, ${rate}% of the refund`, value: formatPounds(pence(-advance.fee_pence)) },
    ...(advance.netted_pence > 0 ? [{ name: 'Deducted for what you owe us', value: formatPounds(pence(-advance.netted_pence)) }] : []),
    { name: getReceiveLabel(advance), value: formatPounds(getPayoutAmount(advance)), strong: true },
  ];
  if (isOpenOffer) {
    details.push({ name: 'If you accept now, we pay by', value: <InstantText at={advance.pay_by} /> });
    details.push({ name: 'Offer open until', value: <InstantText at={advance.valid_until} /> });
  } else if (advance.hours_to_payout === null && advance.agreement.accepted_at && !ENDED_UNPAID_STATES.includes(advance.state)) {
    details.push({ name: 'We pay by', value: <InstantText at={advance.pay_by} /> });
  }
  // Banks trace a payment by its reference.
  if (advance.payout_reference !== null) details.push({ name: 'Reference on your statement', value: advance.payout_reference });
  if (advance.received_pence > 0) details.push({ name: 'Received from HMRC', value: formatPounds(advance.received_pence) });
  return details;
}
