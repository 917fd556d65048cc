/** Documents that don't count until they are approved in the bookkeeping software. */
import type { BooksConnection } from '@portal/contract/books-connection.ts';
import { BOOKS_PROVIDER_NAMES } from '@portal/domain/connected-books/books-providers.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { Stack } from '../../ui/layout.tsx';
import { RecordTable } from '../../ui/record-table.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';

export function DraftsCard({ connection: { program, drafts, draft_count: total } }: { connection: BooksConnection }) {
  const name = BOOKS_PROVIDER_NAMES[program];
  return (
    <SectionCard title={total === 1 ? '1 document isn’t approved yet' : `${total.toLocaleString('en-GB')} documents aren’t approved yet`}>
      <Stack>
        <Text>They aren’t included in your VAT return until you approve them in {name}.</Text>
        <RecordTable
          label="Documents that aren’t approved"
          rows={drafts.map((draft, index) => ({ ...draft, index }))}
          getKey={({ index }) => String(index)}
          columns={[
            {
              title: 'Document',
              cell: ({ link, reference, counterparty }) => (
                <>
                  {link === null ? (
                    reference || 'No number'
                  ) : (
                    <TextLink href={link} target="_blank" rel="noreferrer">
                      {reference || 'No number'}
                    </TextLink>
                  )}
                  {counterparty !== '' && `, ${counterparty}`}
                </>
              ),
            },
            { title: 'Date', layout: 'nowrap', cell: ({ date }) => formatDate(date, 'short') },
            { title: 'Net', layout: 'numeric', cell: (draft) => formatPounds(draft.net_pence) },
            { title: 'VAT', layout: 'numeric', cell: (draft) => formatPounds(draft.vat_pence) },
          ]}
        />
        {total > drafts.length && (
          <Text size="small" tone="quiet">
            The newest {drafts.length} of {total.toLocaleString('en-GB')}.
          </Text>
        )}
      </Stack>
    </SectionCard>
  );
}
