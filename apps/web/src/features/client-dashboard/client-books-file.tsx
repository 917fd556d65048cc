/** The client's books file: uploading it, what its columns mean, and the file in use. */
import { BOOKS_TEMPLATE_PATH, booksUploadOutput, MAX_BOOKS_FILE_BYTES, type BooksUpload } from '@portal/contract/books.ts';
import { clientReturnsApi } from '@portal/contract/client-returns.ts';
import { returnApprovalsApi } from '@portal/contract/return-approvals.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { getBooksUploadPath } from '../../components/books/books-api.ts';
import { OutsidePeriodsNotice } from '../../components/books/outside-periods-notice.tsx';
import { PendingBooks } from '../../components/books/pending-books.tsx';
import { RejectedFile } from '../../components/books/rejected-file.tsx';
import { InstantText, PeriodText } from '../../components/formats/date-text.tsx';
import { apiQuery } from '../../lib/api.ts';
import { CLIENT_BOOKS_ID } from '../../lib/client-labels.ts';
import { PORTAL_BASE } from '../../lib/settings.ts';
import { useFileUpload } from '../../lib/use-file-upload.ts';
import { DropZone } from '../../ui/drop-zone.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { UploadProgress } from '../../ui/upload-progress.tsx';
import styles from './client-books-file.module.css';
import { toClientInput, type ClientIds } from './client-page.ts';
import { useOpenedByHash } from './use-opened-by-hash.ts';

/** A return without figures links here. */
export function ClientBooksFile({ ids }: { ids: ClientIds }) {
  const { data } = useQuery(apiQuery(clientReturnsApi.books, toClientInput(ids)));
  const card = useOpenedByHash<HTMLDivElement>(CLIENT_BOOKS_ID, data !== undefined);
  return (
    <div ref={card} id={CLIENT_BOOKS_ID} className={styles.card}>
      <BooksFileCard ids={ids} />
    </div>
  );
}

function BooksFileCard({ ids }: { ids: ClientIds }) {
  const target = toClientInput(ids);
  const queryClient = useQueryClient();
  const booksQuery = useQuery(apiQuery(clientReturnsApi.books, target));
  // The response to a later step replaces the response to the upload.
  const [laterUpload, setLaterUpload] = useState<BooksUpload>();
  const invalidate = (): void => {
    for (const { path } of [...Object.values(clientReturnsApi), returnApprovalsApi.get, returnApprovalsApi.stages]) {
      void queryClient.invalidateQueries({ queryKey: [path] });
    }
  };
  const { state, upload, cancel } = useFileUpload({
    path: getBooksUploadPath(target),
    query: target,
    maxFileBytes: MAX_BOOKS_FILE_BYTES,
    tooLargeAdvice: 'Split it by quarter, or remove columns that aren’t in the template.',
    unchangedText: 'The client’s existing books haven’t changed.',
    onUploaded: (uploadOutput) => {
      invalidate();
      return booksUploadOutput.parse(uploadOutput);
    },
  });
  const isRejected = state.status === 'refused';
  useEffect(() => {
    // A rejected file may be pending until its columns are mapped differently.
    if (isRejected) void queryClient.invalidateQueries({ queryKey: [clientReturnsApi.books.path] });
  }, [isRejected, queryClient]);
  const latestUpload = laterUpload ?? (state.status === 'taken' ? state.answer : undefined);
  const pendingUpload = latestUpload ? latestUpload.pending : (booksQuery.data?.pending ?? null);
  const current = booksQuery.data?.current ?? null;
  const usesFile = current === null || current.program === null;
  return (
    <SectionCard title={usesFile ? 'Books for VAT returns' : 'Books in use for VAT returns'}>
      {state.status === 'sending' || state.status === 'checking' ? (
        <UploadProgress state={state} cancel={state.status === 'sending' ? cancel : undefined} />
      ) : (
        <Stack gap={16}>
          {latestUpload?.file && (
            <Notice tone="success" title="Books uploaded" role="status">
              {latestUpload.file.rows.toLocaleString('en-GB')} rows from {latestUpload.file.file_name}. Open a return above to see its
              boxes.
              {latestUpload.left_out_lines.length > 0 && ` ${latestUpload.left_out_lines.length} lines containing totals were left out.`}
            </Notice>
          )}
          {isRejected && <RejectedFile refusal={state} />}
          {pendingUpload !== null && (
            <PendingBooks
              key={pendingUpload.upload_id}
              target={target}
              pending={pendingUpload}
              isResult={latestUpload !== undefined}
              onDone={(uploadOutput) => {
                setLaterUpload(uploadOutput);
                invalidate();
              }}
              onDiscarded={() => {
                setLaterUpload({ file: null, pending: null, left_out_lines: [] });
                invalidate();
              }}
            />
          )}
          {current !== null && pendingUpload === null && (
            <FactList
              facts={[
                { label: current.program === null ? 'File' : 'In use', value: current.file_name },
                { label: current.program === null ? 'Uploaded' : 'Changed', value: <InstantText at={current.applied_at} /> },
                { label: 'Rows', value: current.rows.toLocaleString('en-GB') },
                ...(current.first_date !== null && current.last_date !== null
                  ? [{ label: 'Dates', value: <PeriodText start={current.first_date} end={current.last_date} /> }]
                  : []),
              ]}
            />
          )}
          {current !== null && pendingUpload === null && <OutsidePeriodsNotice file={current} />}
          {pendingUpload?.waits_for !== 'columns' && (
            <>
              <DropZone
                label="Client’s books file"
                promptText={current === null ? 'Drop the client’s file here' : 'Drop a new file here'}
                upload={(file) => {
                  setLaterUpload(undefined);
                  upload(file);
                }}
                hasFile={current !== null || isRejected}
              />
              <Text size="small" tone="quiet">
                CSV or XLSX from any software, up to 50 MB. A new file{' '}
                {usesFile ? 'replaces the previous one' : 'is used instead of the books from the bookkeeping software'}.{' '}
                <TextLink href={`${PORTAL_BASE}${BOOKS_TEMPLATE_PATH}`} download>
                  Download the template
                </TextLink>
                .
              </Text>
            </>
          )}
        </Stack>
      )}
    </SectionCard>
  );
}
