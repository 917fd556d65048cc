import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import type { BooksFile } from '@portal/contract/books.ts';
import { useRef, useState, type DragEvent } from 'react';
import { FactList } from '../../ui/fact-list.tsx';
import { DateText } from '../../ui/date-text.tsx';
import { Icon } from '../../ui/icons.tsx';
import { StatusPanel } from '../../ui/status-panel.tsx';
import type { UploadState } from './use-books-upload.ts';

/** Where a file is dropped or chosen. */
export function DropZone({ upload, replaces }: { upload: (file: File) => void; replaces: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    const file = event.dataTransfer.files[0];
    if (file !== undefined) upload(file);
  };
  return (
    <Box
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
      sx={{
        display: 'flex',
        flexDirection: 'column',
        alignItems: 'center',
        gap: 1.5,
        textAlign: 'center',
        p: { xs: 3, sm: 5 },
        border: '2px dashed',
        borderColor: isOver ? 'primary.tone' : 'control',
        borderRadius: 1,
        bgcolor: isOver ? 'primary.soft' : 'background.default',
      }}
    >
      <Icon name="upload" sx={{ fontSize: 40, color: 'primary.tone' }} />
      <Typography sx={{ fontWeight: 500 }}>{replaces ? 'Drop another file here' : 'Drop your file here'}</Typography>
      <Button onClick={() => input.current?.click()}>{replaces ? 'Choose another file' : 'Choose a file'}</Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="Books file"
        accept=".csv,.xlsx,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
        onChange={({ target }) => {
          const file = target.files?.[0];
          // The same file, mended, must be choosable again.
          target.value = '';
          if (file !== undefined) upload(file);
        }}
      />
    </Box>
  );
}

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
