/** The tiers of a price list. */
import { formatPounds } from '@portal/domain/money.ts';
import type { PriceTier } from '@portal/domain/pricing/price-list.ts';
import { StateChip } from '../../ui/state-chip.tsx';
import { Table, TableHead } from '../../ui/table.tsx';
import styles from './tier-table.module.css';
import { formatCount, formatPrice, formatTierRange } from './tier-texts.ts';

/** `current`: the name of the tier that applies. `currentLabel` marks its row. */
type TierTableProps = { label: string; tiers: readonly PriceTier[]; current?: string | undefined; currentLabel?: string };

export function TierTable({ label, tiers, current, currentLabel = 'Your tier' }: TierTableProps) {
  return (
    <Table label={label} dense flush>
      <TableHead columns={['Tier', { numeric: 'Base price' }, { numeric: 'Each extra' }]} />
      <tbody>
        {tiers.map((tier) => (
          <tr key={tier.name} className={tier.name === current ? styles.current : undefined}>
            <th scope="row">
              <span className={styles.name}>
                {tier.name}
                {tier.name === current && <StateChip label={currentLabel} icon="check" tone="primary" />}
              </span>
              <span className={styles.detail}>{formatTierRange(tier)} connections</span>
            </th>
            <td data-numeric>
              {tier.basePence === 0 ? 'Free' : formatPrice(tier.basePence)}
              <span className={styles.detail}>{formatCount(tier.included)} included</span>
            </td>
            <td data-numeric>{tier.unitPence === 0 ? '–' : formatPounds(tier.unitPence)}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
