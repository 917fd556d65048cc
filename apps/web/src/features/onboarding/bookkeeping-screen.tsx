/** Uploads a file of books, by drop or file picker. It is applied as a whole or rejected with the lines at fault. */
import { BOOKS_TEMPLATE_PATH } from '@portal/contract/books.ts';
import type { Progress } from '@portal/contract/onboarding.ts';
import { useNavigate } from 'react-router';
import { PORTAL_BASE } from '../../lib/settings.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonRow } from '../../ui/button-row.tsx';
import { DropZone } from '../../ui/drop-zone.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Heading, Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { UploadProgress } from '../../ui/upload-progress.tsx';
import { InstantText } from '../../components/formats/date-text.tsx';
import { AppliedFile } from './books-upload.tsx';
import { RejectedFile } from './rejected-file.tsx';
import { StepPage } from './step-page.tsx';
import { useBooksUpload } from './use-books-upload.ts';
import { getLinkAfter } from './use-progress.ts';

export function BookkeepingScreen() {
  return (
    <StepPage
      step="bookkeeping"
      title="Your books"
      lead="Upload a file with the sales and purchases for your VAT return. We’ll work out the nine boxes and show you the transactions behind each one."
    >
      {(progress) => <Books progress={progress} />}
    </StepPage>
  );
}

function Books({ progress }: { progress: Progress }) {
  const { books } = progress;
  const navigate = useNavigate();
  const { state, upload, cancel } = useBooksUpload(progress.company_id ?? '');
  if (state.status === 'sending' || state.status === 'checking') {
    // Once uploaded, the books are applied as a whole: cancelling would no longer prevent that.
    return <UploadProgress state={state} cancel={state.status === 'sending' ? cancel : undefined} />;
  }
  if (state.status === 'taken')
    return <AppliedFile file={state.answer} progress={progress} onContinue={() => void navigate(getLinkAfter('bookkeeping', progress))} />;
  return (
    <Stack gap={24}>
      {books !== null && <CurrentBooks books={books} />}
      {state.status === 'refused' && <RejectedFile refusal={state} />}
      <Stack gap={12}>
        <DropZone
          label="Books file"
          promptText="Drop your file here"
          upload={upload}
          hasFile={books !== null || state.status === 'refused'}
        />
        <Text size="small" tone="quiet">
          CSV or XLSX, up to 50 MB.{' '}
          <TextLink href={`${PORTAL_BASE}${BOOKS_TEMPLATE_PATH}`} download>
            Download the template
          </TextLink>{' '}
          to see the columns and an example of each kind of row.
        </Text>
      </Stack>
      <ButtonRow>
        <Button to={getLinkAfter('bookkeeping', progress)} variant={books === null ? 'text' : 'filled'}>
          {books === null ? 'Do this later' : 'Continue with these books'}
        </Button>
      </ButtonRow>
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
