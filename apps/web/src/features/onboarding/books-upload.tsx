import Box from '@mui/material/Box';
import type { BooksFile } from '@portal/contract/books.ts';
import { FactList } from '../../ui/fact-list.tsx';
import { DateText } from '../../ui/date-text.tsx';
import { StatusPanel } from '../../ui/status-panel.tsx';

/** The result of an applied file. */
export function AppliedFile({ file, onContinue }: { file: BooksFile; onContinue: () => void }) {
  return (
    <StatusPanel
      state="success"
      heading="Your books are in"
      subHeading="Every row was read. The nine boxes are computed from this file now."
      onContinue={onContinue}
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
