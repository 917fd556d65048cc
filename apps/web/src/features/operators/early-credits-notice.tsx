/** HMRC payments that arrived before the payout: why the payout is on hold, and what will resolve it. */
import { formatPounds } from '@portal/domain/money.ts';
import { DateText, InstantText } from '../../components/formats/date-text.tsx';
import { getPageLink } from '../../lib/page-link.ts';
import { Notice } from '../../ui/notice.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import type { OperatorPartProps } from './operator-outputs.ts';

export function EarlyCreditsNotice({ data }: OperatorPartProps) {
  const { early_credits: credits, advance } = data;
  if (credits.length === 0) return null;
  return (
    <Notice tone="warning" title="HMRC’s payment arrived before the payout" role="status">
      <ul>
        {credits.map((credit) => (
          <li key={credit.credit_id}>
            {formatPounds(credit.amount_pence)} from {credit.remitter}, <InstantText at={credit.received_at} />, reference “
            {credit.reference}”
            {credit.unallocated_pence < credit.amount_pence && `, of which ${formatPounds(credit.unallocated_pence)} is unmatched`}
          </li>
        ))}
      </ul>
      This may be the refund of {formatPounds(advance.refund_pence)} for the period to <DateText date={advance.period_end} />, or part of
      it. Nothing is paid out until two people have decided in <TextLink to={getPageLink('adminReconciliation')}>Reconciliation</TextLink>{' '}
      what this payment is for. If HMRC has repaid or reduced this refund, decline the advance first: the payment then belongs to the
      trader.
    </Notice>
  );
}
