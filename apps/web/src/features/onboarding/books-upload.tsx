import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import type { BooksFile } from '@portal/contract/books.ts';
import { FactList } from '../../ui/fact-list.tsx';
import { DateText } from '../../ui/date-text.tsx';
import { StatusPanel } from '../../ui/status-panel.tsx';
import type { UploadState } from './use-books-upload.ts';

/** A file on its way, then being read. */
export function UnderWay({ state, cancel }: { state: Extract<UploadState, { status: 'sending' | 'checking' }>; cancel: () => void }) {
  const percent = state.status === 'sending' ? Math.floor(state.part * 100) : undefined;
  return (
    <Box role="status" sx={{ p: { xs: 2, sm: 4 }, border: 1, borderColor: 'divider', borderRadius: 1 }}>
      <Typography sx={{ mb: 1.5, fontWeight: 500, overflowWrap: 'anywhere' }}>
        {percent === undefined ? `Checking every row of ${state.fileName}` : `Sending ${state.fileName}: ${percent}%`}
      </Typography>
      <LinearProgress
        aria-label={percent === undefined ? 'Checking the file' : 'Sending the file'}
        {...(percent === undefined ? {} : { variant: 'determinate' as const, value: percent })}
      />
      {percent !== undefined && (
        <Button size="small" variant="text" sx={{ mt: 1.5 }} onClick={cancel}>
          Stop
        </Button>
      )}
    </Box>
  );
}

/** What a file brought in. */
export function AppliedFile({ file, goOn }: { file: BooksFile; goOn: () => void }) {
  return (
    <StatusPanel
      state="success"
      heading="Your books are in"
      subHeading="Every row was read. The nine boxes are computed from this file now."
      onContinue={goOn}
    >
      <Box sx={{ textAlign: 'left', mx: 'auto', width: 'fit-content', maxWidth: '100%' }}>
        <FactList
          facts={[
            { label: 'File', value: file.file_name },
            { label: 'Rows', value: file.rows.toLocaleString('en-GB') },
            ...(file.first_date !== null && file.last_date !== null
              ? [
                  {
                    label: 'Dates',
                    value: (
                      <>
                        <DateText date={file.first_date} /> to <DateText date={file.last_date} />
                      </>
                    ),
                  },
                ]
              : []),
            {
              label: 'To look at',
              value: file.flagged === 0 ? 'Nothing' : `${file.flagged.toLocaleString('en-GB')} rows, marked in the return`,
            },
          ]}
        />
      </Box>
    </StatusPanel>
  );
}
