/** Shows how a return filed elsewhere differs from the books, box by box. */
import type { VatReturnOutput } from '@portal/contract/vat-returns.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { Stack } from '../../ui/layout.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Table, TableHead } from '../../ui/table.tsx';
import { Text } from '../../ui/text.tsx';

export function BooksDifferenceCard({ difference }: { difference: NonNullable<VatReturnOutput['books_difference']> }) {
  const [first] = difference.boxes;
  if (!first) return null;
  return (
    <SectionCard title="Your books don’t match this return">
      <Stack gap={12}>
        <Text measure>
          {first.box === 5 ? 'Net VAT' : `Box ${first.box}`} on the filed return is {formatPounds(first.filed_pence)}, but the transactions
          in {difference.file_name} total {formatPounds(first.books_pence)}. If your books are right, the return contains an error: correct
          it in your next return with an adjustment, or report it to HMRC. If the return is right, complete your books.
        </Text>
        <Table label="Differences by box" flush>
          <TableHead columns={['Box', { numeric: 'Filed return' }, { numeric: 'Your books' }, { numeric: 'Difference' }]} />
          <tbody>
            {difference.boxes.map(({ box, filed_pence: filedAmount, books_pence: books, difference_pence: amount }) => (
              <tr key={box}>
                <th scope="row" data-nowrap>
                  Box {box}
                </th>
                <td data-numeric>{formatPounds(filedAmount)}</td>
                <td data-numeric>{formatPounds(books)}</td>
                <td data-numeric>{formatPounds(amount)}</td>
              </tr>
            ))}
          </tbody>
        </Table>
        <Text size="small" tone="quiet">
          A minus sign in box 5 means that HMRC owes you. The difference is the filed return less your books.
        </Text>
      </Stack>
    </SectionCard>
  );
}
