import type { ShortfallOutput } from '@portal/contract/shortfalls.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { MoneyText } from '../formats/money-text.tsx';
import { Table } from '../../ui/table.tsx';

/** The agreed instalments and how much of each is paid. */
export function InstalmentTable({ instalments }: { instalments: ShortfallOutput['instalments'] }) {
  return (
    <Table label="Instalments">
      <thead>
        <tr>
          <th scope="col">Due by</th>
          <th scope="col" data-numeric>
            Amount
          </th>
          <th scope="col" data-numeric>
            Paid
          </th>
        </tr>
      </thead>
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
