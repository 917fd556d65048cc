/** Documents that don't count until they are approved in the bookkeeping software. */
import type { BooksConnection } from '@portal/contract/books-connection.ts';
import { BOOKS_PROVIDER_NAMES } from '@portal/domain/connected-books/books-providers.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { Stack } from '../../ui/layout.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Table, TableHead } from '../../ui/table.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';

export function DraftsCard({ connection: { program, drafts, draft_count: total } }: { connection: BooksConnection }) {
  const name = BOOKS_PROVIDER_NAMES[program];
  return (
    <SectionCard title={total === 1 ? '1 document isn’t approved yet' : `${total.toLocaleString('en-GB')} documents aren’t approved yet`}>
      <Stack>
        <Text>They aren’t included in your VAT return until you approve them in {name}.</Text>
        <Table label="Documents that aren’t approved" flush>
          <TableHead columns={['Document', 'Date', { numeric: 'Net' }, { numeric: 'VAT' }]} />
          <tbody>
            {drafts.map(({ date, reference, counterparty, net_pence: net, vat_pence: vat, link }, index) => (
              <tr key={`${link ?? ''}${index}`}>
                <th scope="row">
                  {link === null ? (
                    reference || 'No number'
                  ) : (
                    <TextLink href={link} target="_blank" rel="noreferrer">
                      {reference || 'No number'}
                    </TextLink>
                  )}
                  {counterparty !== '' && `, ${counterparty}`}
                </th>
                <td data-nowrap>{formatDate(date, 'short')}</td>
                <td data-numeric>{formatPounds(net)}</td>
                <td data-numeric>{formatPounds(vat)}</td>
              </tr>
            ))}
          </tbody>
        </Table>
        {total > drafts.length && (
          <Text size="small" tone="quiet">
            The newest {drafts.length} of {total.toLocaleString('en-GB')}.
          </Text>
        )}
      </Stack>
    </SectionCard>
  );
}
