/**
 * Uploads a file of books, by drag and drop or file picker. The server applies the whole file, rejects it with the rows at fault, or asks
 * the user a question first.
 */
import { BOOKS_TEMPLATE_PATH, booksApi, type BooksUpload } from '@portal/contract/books.ts';
import type { Progress } from '@portal/contract/onboarding.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { apiQuery } from '../../lib/api.ts';
import { PORTAL_BASE } from '../../lib/settings.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonRow } from '../../ui/button-row.tsx';
import { DropZone } from '../../ui/drop-zone.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Heading, Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { UploadProgress } from '../../ui/upload-progress.tsx';
import { BooksConnectionPanel } from '../../components/books/books-connection-panel.tsx';
import { invalidateFigures, useBooksConnection } from '../../components/books/use-books-connection.ts';
import { InstantText } from '../../components/formats/date-text.tsx';
import { AppliedFile } from './books-upload.tsx';
import { PendingBooks } from '../../components/books/pending-books.tsx';
import { RejectedFile } from '../../components/books/rejected-file.tsx';
import { StepPage } from './step-page.tsx';
import { useBooksUpload } from './use-books-upload.ts';
import { useLinkAfter } from './use-progress.ts';

export function BookkeepingScreen() {
  return (
    <StepPage
      step="bookkeeping"
      title="Your books"
      lead="We work out the nine boxes from your books and show you the documents behind each one. Connect your bookkeeping software, or upload a file."
    >
      {(progress) => <Books progress={progress} />}
    </StepPage>
  );
}

function Books({ progress }: { progress: Progress }) {
  const { books } = progress;
  const companyId = progress.company_id ?? '';
  const navigate = useNavigate();
  const linkAfter = useLinkAfter('bookkeeping', progress);
  const queryClient = useQueryClient();
  const { state, upload, cancel } = useBooksUpload(companyId);
  const connection = useBooksConnection({ company_id: companyId });
  const booksQuery = useQuery({ ...apiQuery(booksApi.current, { company_id: companyId }), enabled: companyId !== '' });
  // The response to a later step, which replaces the upload's response.
  const [laterUpload, setLater] = useState<BooksUpload>();
  if (state.status === 'sending' || state.status === 'checking') {
    // Once sent, the whole file is applied, so cancelling would have no effect.
    return <UploadProgress state={state} cancel={state.status === 'sending' ? cancel : undefined} />;
  }
  const latestUpload = laterUpload ?? (state.status === 'taken' ? state.answer : undefined);
  if (latestUpload?.file)
    return (
      <AppliedFile
        file={latestUpload.file}
        leftOutLines={latestUpload.left_out_lines}
        progress={progress}
        onContinue={() => void navigate(linkAfter)}
      />
    );
  const pendingUpload = latestUpload ? latestUpload.pending : (booksQuery.data?.pending ?? null);
  const useNewFile = (file: File) => {
    setLater(undefined);
    upload(file);
  };
  const isConnected = connection.data !== undefined && connection.data.connection !== null;
  return (
    <Stack gap={24}>
      {connection.data !== undefined && (connection.data.available.length > 0 || isConnected) && (
        <Stack gap={12}>
          <Heading level={2} size="part">
            {isConnected ? 'Your bookkeeping software' : 'Connect your bookkeeping software'}
          </Heading>
          <BooksConnectionPanel
            target={{ company_id: companyId }}
            state={connection.data}
            returnTo="steps"
            preferred={progress.books_program ?? undefined}
          />
        </Stack>
      )}
      {books !== null && pendingUpload === null && !isConnected && <CurrentBooks books={books} />}
      {state.status === 'refused' && <RejectedFile refusal={state} />}
      {pendingUpload !== null && (
        <PendingBooks
          key={pendingUpload.upload_id}
          target={{ company_id: companyId }}
          pending={pendingUpload}
          isResult={latestUpload !== undefined}
          onDone={(uploadOutput) => {
            setLater(uploadOutput);
            if (uploadOutput.file) invalidateFigures(queryClient);
          }}
          onDiscarded={() => {
            setLater({ file: null, pending: null, left_out_lines: [] });
            void queryClient.invalidateQueries({ queryKey: [booksApi.current.path] });
          }}
        />
      )}
      {/* The column mapping form has its own Continue button. */}
      {pendingUpload?.waits_for !== 'columns' && (
        <>
          <Stack gap={12}>
            <Heading level={2} size="part">
              {isConnected ? 'Use a file instead' : 'Or upload a file'}
            </Heading>
            <DropZone
              label="Books file"
              promptText={pendingUpload === null ? 'Drop your file here' : 'Drop another file here'}
              upload={useNewFile}
              hasFile={books !== null || state.status === 'refused'}
            />
            <Text size="small" tone="quiet">
              CSV or XLSX from any software, up to 50 MB. We’ll ask if a column isn’t clear. You can also{' '}
              <TextLink href={`${PORTAL_BASE}${BOOKS_TEMPLATE_PATH}`} download>
                download the template
              </TextLink>{' '}
              to see the columns and an example of each kind of row.
            </Text>
          </Stack>
          <ButtonRow>
            <Button to={linkAfter} {...(books === null ? { variant: 'text', fit: 'flush' } : {})}>
              {books === null ? 'Do this later' : 'Continue with these books'}
            </Button>
          </ButtonRow>
        </>
      )}
    </Stack>
  );
}

function CurrentBooks({ books }: { books: NonNullable<Progress['books']> }) {
  return (
    <Stack gap={8}>
      <Heading level={2} size="part">
        Your current books
      </Heading>
      <FactList
        facts={[
          { label: 'File', value: books.file_name },
          { label: 'Rows', value: books.rows.toLocaleString('en-GB') },
          { label: 'Uploaded', value: <InstantText at={books.applied_at} /> },
        ]}
      />
    </Stack>
  );
}
