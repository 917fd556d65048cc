/** How the refund leads to the exact amount that the bank will pay. Shown before a release and in its confirmation. */
import type { AdvanceOutput } from '@portal/contract/advances.ts';
import { formatPounds, pence } from '@portal/domain/money.ts';
import { FactList } from '../../ui/fact-list.tsx';

/** The amount paid out: the price, less what the trader owes us. */
export const formatPayout = ({ net_pence, netted_pence }: AdvanceOutput): string => formatPounds(pence(net_pence - netted_pence));

export function ReleaseAmounts({ advance }: { advance: AdvanceOutput }) {
  return (
    <FactList
      facts={[
        { label: 'Refund', value: formatPounds(advance.refund_pence) },
        { label: 'Our fee', value: formatPounds(pence(-advance.fee_pence)) },
        { label: 'Price', value: formatPounds(advance.net_pence) },
        ...(advance.netted_pence > 0
          ? [{ label: 'Deducted for what the trader owes us', value: formatPounds(pence(-advance.netted_pence)) }]
          : []),
        { label: 'The bank pays', value: formatPayout(advance) },
        { label: 'Quote version', value: String(advance.version) },
      ]}
    />
  );
}
