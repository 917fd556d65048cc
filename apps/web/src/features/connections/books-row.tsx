/** A company's books: the software they are read from, or the latest uploaded file. */
import type { CompanyConnections } from '@portal/contract/connections.ts';
import { BOOKS_PROVIDER_NAMES } from '@portal/domain/connected-books/books-providers.ts';
import { DateText, InstantText } from '../../components/formats/date-text.tsx';
import { getPageLink } from '../../lib/page-link.ts';
import { FactList } from '../../ui/fact-list.tsx';
import { ConnectionRow } from './connection-row.tsx';

export function BooksRow({ company }: { company: CompanyConnections }) {
  return company.books_program === null ? (
    <BooksFileRow company={company} />
  ) : (
    <ProviderRow company={company} program={company.books_program} />
  );
}

type BooksProviderState = NonNullable<CompanyConnections['books_program']>;

function ProviderRow({ company: { company_id }, program }: { company: CompanyConnections; program: BooksProviderState }) {
  const name = BOOKS_PROVIDER_NAMES[program.program];
  return (
    <ConnectionRow
      icon="file"
      title={`Books from ${name}`}
      state={describeProvider(program)}
      action={{
        label: program.status === 'lost' ? `Connect ${name} again` : 'Manage your books',
        to: getPageLink('books', { company_id }),
        companyId: company_id,
        access: 'company.read',
      }}
      isPrimary={program.status !== 'connected'}
    >
      <FactList
        facts={[
          { label: 'Organisation', value: program.organisation_name ?? 'Not chosen yet' },
          ...(program.last_read_at === null ? [] : [{ label: 'Last read', value: <InstantText at={program.last_read_at} /> }]),
        ]}
      />
    </ConnectionRow>
  );
}

function describeProvider({ status, has_problem }: BooksProviderState) {
  if (status === 'lost') return { label: 'Ended', icon: 'errorCircle', tone: 'error' } as const;
  if (status === 'choosing') return { label: 'Choose an organisation', icon: 'warning', tone: 'warning' } as const;
  if (has_problem) return { label: 'Needs attention', icon: 'warning', tone: 'warning' } as const;
  return { label: 'Connected', icon: 'check', tone: 'success' } as const;
}

function BooksFileRow({ company: { company_id, books, hmrc } }: { company: CompanyConnections }) {
  return (
    <ConnectionRow
      icon="file"
      title="Books"
      state={
        books === null
          ? { label: 'No books yet', icon: 'warning', tone: 'warning' }
          : books.flagged > 0
            ? { label: `${books.flagged} ${books.flagged === 1 ? 'row' : 'rows'} to check`, icon: 'warning', tone: 'warning' }
            : { label: 'Up to date', icon: 'check', tone: 'success' }
      }
      action={{
        label: books === null ? 'Add your books' : 'Connect or upload new books',
        to: getPageLink('stepBookkeeping', { company_id, ...(books === null ? {} : { from: 'connections' }) }),
        companyId: company_id,
        access: 'company.prepare',
      }}
      isPrimary={books === null && hmrc.status === 'connected'}
    >
      {books === null ? (
        'We work out your return from your books. Connect Xero, QuickBooks or FreeAgent, or upload a file, before you file.'
      ) : (
        <FactList
          facts={[
            { label: 'File', value: books.file_name },
            { label: 'Transactions', value: books.rows.toLocaleString('en-GB') },
            ...(books.first_date && books.last_date
              ? [
                  { label: 'From', value: <DateText date={books.first_date} /> },
                  { label: 'To', value: <DateText date={books.last_date} /> },
                ]
              : []),
            { label: 'Uploaded', value: <InstantText at={books.uploaded_at} /> },
          ]}
        />
      )}
    </ConnectionRow>
  );
}
