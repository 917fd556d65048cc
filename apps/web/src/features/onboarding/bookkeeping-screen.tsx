/** Uploads a file of books, by drop or file picker. It is applied as a whole or rejected with the lines at fault. */
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { BOOKS_TEMPLATE_PATH } from '@portal/contract/books.ts';
import type { Progress } from '@portal/contract/onboarding.ts';
import { Link as RouterLink, useNavigate } from 'react-router';
import { PORTAL_BASE } from '../../lib/settings.ts';
import { ButtonRow } from '../../ui/button-row.tsx';
import { DropZone } from '../../ui/drop-zone.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { UploadProgress } from '../../ui/upload-progress.tsx';
import { InstantText } from '../../ui/date-text.tsx';
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
      lead="Give us the sales and purchases behind your VAT return as a file. We compute the nine boxes from it and show every row behind each box."
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
    return <AppliedFile file={state.answer} onContinue={() => void navigate(getLinkAfter('bookkeeping', progress))} />;
  return (
    <>
      {books !== null && <CurrentBooks books={books} />}
      {state.status === 'refused' && <RejectedFile refusal={state} />}
      <DropZone
        label="Books file"
        promptText="Drop your file here"
        upload={upload}
        hasFile={books !== null || state.status === 'refused'}
      />
      <Typography variant="body2" sx={{ mt: 2, color: 'text.secondary' }}>
        CSV or XLSX, at most 50 MB.{' '}
        <Link href={`${PORTAL_BASE}${BOOKS_TEMPLATE_PATH}`} download>
          Download the template
        </Link>{' '}
        with its columns and an example of each kind of row.
      </Typography>
      <Box sx={{ mt: 3 }}>
        <ButtonRow>
          <Button component={RouterLink} to={getLinkAfter('bookkeeping', progress)} variant={books === null ? 'text' : 'outlined'}>
            {books === null ? 'Later' : 'Go on with these books'}
          </Button>
        </ButtonRow>
      </Box>
    </>
  );
}

function CurrentBooks({ books }: { books: NonNullable<Progress['books']> }) {
  return (
    <Box sx={{ mb: 3, pb: 3, borderBottom: 1, borderColor: 'divider' }}>
      <Typography component="h2" variant="h3" sx={{ mb: 1 }}>
        The books we use now
      </Typography>
      <FactList
        facts={[
          { label: 'File', value: books.file_name },
          { label: 'Rows', value: books.rows.toLocaleString('en-GB') },
          { label: 'Read', value: <InstantText at={books.applied_at} /> },
        ]}
      />
    </Box>
  );
}
