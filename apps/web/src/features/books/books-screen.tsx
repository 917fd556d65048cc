/** A trader's books: the file used to prepare returns, and earlier files. */
import { booksApi, type BooksFile } from '@portal/contract/books.ts';
import type { BooksConnectionState } from '@portal/contract/books-connection.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { BOOKS_PROVIDER_NAMES } from '@portal/domain/connected-books/books-providers.ts';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api.ts';
import { useCompanyId } from '../../lib/company-id.ts';
import { NeedsRight } from '../../components/companies/needs-right.tsx';
import { getPageLink } from '../../lib/page-link.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { NoBooksIllustration } from '../../ui/illustrations.tsx';
import { InstantText, PeriodText } from '../../components/formats/date-text.tsx';
import { FirstLoad } from '../../ui/first-load.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { BooksConnectionPanel } from '../../components/books/books-connection-panel.tsx';
import { OutsidePeriodsNotice } from '../../components/books/outside-periods-notice.tsx';
import { DraftsCard } from '../../components/books/drafts-card.tsx';
import { useBooksConnection } from '../../components/books/use-books-connection.ts';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { RecordTable } from '../../ui/record-table.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton, PageSkeleton } from '../../ui/skeletons.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';

export function BooksScreen() {
  const { companyId } = useCompanyId();
  const connection = useBooksConnection({ company_id: companyId });
  const isConnected = connection.data !== undefined && connection.data.connection !== null;
  const books = useQuery({ ...apiQuery(booksApi.current, { company_id: companyId }), enabled: companyId !== '' });
  return (
    <Page
      title="Books"
      maxWidth="text"
      lead="We prepare your VAT returns from the transactions in your books."
      actions={
        <NeedsRight companyId={companyId} access="company.prepare">
          <Button
            to={getPageLink('stepBookkeeping', { company_id: companyId, from: 'books' })}
            variant={isConnected ? 'outlined' : 'filled'}
          >
            {isConnected ? 'Upload a file instead' : books.data?.current === null ? 'Upload a file' : 'Upload a new file'}
          </Button>
        </NeedsRight>
      }
    >
      {/* The connection is above the books, and its height depends on its state, so wait for it to keep the books from moving. */}
      <FirstLoad skeleton={<PageSkeleton />}>
        <Stack gap={24}>
          <LoadState query={connection} skeleton={<CardSkeleton lines={4} />}>
            {(state) => <ConnectedBooks state={state} companyId={companyId} />}
          </LoadState>
          <LoadState query={books}>{(data) => <BooksDetails data={data} companyId={companyId} isConnected={isConnected} />}</LoadState>
        </Stack>
      </FirstLoad>
    </Page>
  );
}

function ConnectedBooks({ state, companyId }: { state: BooksConnectionState; companyId: string }) {
  const { available, connection } = state;
  if (connection === null && available.length === 0) return null;
  return (
    <>
      <SectionCard
        title={connection === null ? 'Connect your bookkeeping software' : `Books from ${BOOKS_PROVIDER_NAMES[connection.program]}`}
      >
        <BooksConnectionPanel target={{ company_id: companyId }} state={state} returnTo="books" />
      </SectionCard>
      {connection !== null && connection.draft_count > 0 && <DraftsCard connection={connection} />}
    </>
  );
}

type BooksProps = { data: EndpointOutput<typeof booksApi.current>; companyId: string; isConnected: boolean };

function BooksDetails({ data: { current, earlier, pending }, companyId, isConnected }: BooksProps) {
  return (
    <Stack gap={24}>
      {pending !== null && (
        <Notice tone="warning" title={`${pending.file_name} isn’t in use yet`}>
          {pending.waits_for === 'columns' ? 'We need to know what its columns mean.' : 'It covers only part of a period.'}{' '}
          <TextLink to={getPageLink('stepBookkeeping', { company_id: companyId, from: 'books' })}>Continue with this file</TextLink>
        </Notice>
      )}
      {current === null && !isConnected && (
        <EmptyState
          framed
          illustration={<NoBooksIllustration />}
          title="No books yet"
          text="Connect your bookkeeping software, or upload a CSV or Excel file with your sales and purchases. We work out your VAT return from it."
        />
      )}
      {current !== null && (
        <SectionCard title={current.program === null ? 'Current file' : 'Current figures'}>
          <Stack>
            <FactList
              facts={[
                { label: current.program === null ? 'File' : 'From', value: current.file_name },
                { label: current.program === null ? 'Uploaded' : 'Changed', value: <InstantText at={current.applied_at} /> },
                { label: 'Transactions', value: current.rows.toLocaleString('en-GB') },
                { label: 'Dates covered', value: <CoveredDates file={current} /> },
                { label: 'To check', value: describeChecks(current) },
              ]}
            />
            <OutsidePeriodsNotice file={current} />
            <Text size="small" tone="quiet">
              {current.program === null
                ? 'A new file replaces this one. Returns you’ve already filed don’t change.'
                : 'They’re updated from your bookkeeping software. Returns you’ve already filed don’t change.'}
            </Text>
          </Stack>
        </SectionCard>
      )}
      {earlier.length > 0 && (
        <SectionCard title="Earlier books">
          <RecordTable
            label="Earlier books"
            rows={earlier}
            getKey={(file) => file.file_id}
            columns={[
              { title: 'File or software', cell: (file) => file.file_name },
              { title: 'In use from', layout: 'nowrap', cell: (file) => <InstantText at={file.applied_at} /> },
              { title: 'Transactions', layout: 'numeric', cell: ({ rows }) => rows.toLocaleString('en-GB') },
            ]}
          />
        </SectionCard>
      )}
    </Stack>
  );
}

function CoveredDates({ file }: { file: BooksFile }) {
  if (file.first_date === null || file.last_date === null) return 'No dated transactions';
  return <PeriodText start={file.first_date} end={file.last_date} />;
}

function describeChecks({ flagged: count, outside_periods: outside }: BooksFile): string {
  if (count === 0) return outside === null ? 'No issues found' : 'Dates outside HMRC’s periods';
  return count === 1 ? '1 transaction' : `${count.toLocaleString('en-GB')} transactions`;
}
