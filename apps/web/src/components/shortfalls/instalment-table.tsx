import type { ShortfallOutput } from '@portal/contract/shortfalls.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { MoneyText } from '../formats/money-text.tsx';
import { Table, TableHead } from '../../ui/table.tsx';

/** The agreed instalments, with the amount paid on each. */
export function InstalmentTable({ instalments }: { instalments: ShortfallOutput['instalments'] }) {
  return (
    <Table label="Instalments">
      <TableHead columns={['Due by', { numeric: 'Amount' }, { numeric: 'Paid' }]} />
      <tbody>
        {instalments.map((instalment) => (
          <tr key={instalment.number}>
            <th scope="row">{formatDate(instalment.due_on, 'short')}</th>
            <td data-numeric>
              <MoneyText pence={instalment.amount_pence} size="table" />
            </td>
            <td data-numeric>
              <MoneyText pence={instalment.paid_pence} size="table" />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
