import Box from '@mui/material/Box';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import { Notice } from '../../ui/notice.tsx';
import { booksFileError } from '@portal/contract/books.ts';
import { z } from 'zod';
import type { UploadRejected } from '../../lib/use-file-upload.ts';

const rejectionDetails = z.object({ errors: z.array(booksFileError).catch([]), error_count: z.int().optional().catch(undefined) });

/** Why a file was rejected, line by line, with how to fix it. */
export function RejectedFile({ refusal }: { refusal: UploadRejected }) {
  const { fileName, reason, details } = refusal;
  const { errors, error_count: errorCount = errors.length } = rejectionDetails.parse(details ?? {});
  return (
    <Box sx={{ mb: 3 }}>
      <Notice tone="error" title={`We did not take ${fileName}`} role="alert">
        {reason}
      </Notice>
      {errors.length > 0 && (
        <>
          <TableContainer
            tabIndex={0}
            role="region"
            aria-label="What to mend in the file"
            sx={{ mt: 2, maxHeight: 440, border: 1, borderColor: 'divider', borderRadius: 1 }}
          >
            <Table stickyHeader size="small">
              <TableHead>
                <TableRow>
                  <TableCell align="right">Line</TableCell>
                  <TableCell>Column</TableCell>
                  <TableCell>What to mend</TableCell>
                </TableRow>
              </TableHead>
              <TableBody>
                {errors.map((error) => (
                  <TableRow key={`${error.line} ${error.column} ${error.reason}`}>
                    <TableCell align="right">{error.line}</TableCell>
                    <TableCell sx={{ whiteSpace: 'nowrap' }}>{error.column}</TableCell>
                    <TableCell>{error.reason}</TableCell>
                  </TableRow>
                ))}
              </TableBody>
            </Table>
          </TableContainer>
          {errorCount > errors.length && (
            <Typography variant="body2" sx={{ mt: 1, color: 'text.secondary' }}>
              The first {errors.length.toLocaleString('en-GB')} of {errorCount.toLocaleString('en-GB')} errors. Mend these, then send the
              file again to see the rest.
            </Typography>
          )}
        </>
      )}
    </Box>
  );
}
