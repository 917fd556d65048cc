import type { ShortfallOutput } from '@portal/contract/shortfalls.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { MoneyText } from '../formats/money-text.tsx';
import { Table, TableHead } from '../../ui/table.tsx';
import { Text } from '../../ui/text.tsx';
import { DIRECT_DEBIT_LABELS } from './shortfall-labels.ts';

/** The Direct Debits of a case, newest first. */
export function DirectDebitTable({ directDebits }: { directDebits: ShortfallOutput['direct_debits'] }) {
  return (
    <Table label="Direct Debits">
      <TableHead columns={['Charged on', 'Status', { numeric: 'Amount' }]} />
      <tbody>
        {directDebits.map((debit) => (
          <tr key={debit.direct_debit_id}>
            <th scope="row">{formatDate(debit.charge_on, 'short')}</th>
            <td>
              {DIRECT_DEBIT_LABELS[debit.status]}
              {debit.failure !== null && (
                <Text size="small" tone="quiet">
                  {debit.failure}
                </Text>
              )}
            </td>
            <td data-numeric>
              <MoneyText pence={debit.amount_pence} size="table" />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
