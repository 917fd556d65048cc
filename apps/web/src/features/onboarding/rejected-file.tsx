import { booksFileError } from '@portal/contract/books.ts';
import { z } from 'zod/mini';
import type { UploadRejected } from '../../lib/use-file-upload.ts';
import { Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Table } from '../../ui/table.tsx';
import { Text } from '../../ui/text.tsx';
import styles from './rejected-file.module.css';

const rejectionDetails = z.object({ errors: z.catch(z.array(booksFileError), []), error_count: z.catch(z.optional(z.int()), undefined) });

/** Why a file was rejected, line by line, with how to fix it. */
export function RejectedFile({ refusal }: { refusal: UploadRejected }) {
  const { fileName, reason, details } = refusal;
  const { errors, error_count: errorCount = errors.length } = rejectionDetails.parse(details ?? {});
  return (
    <Stack gap={16}>
      <Notice tone="error" title={`We couldn’t read ${fileName}`} role="alert">
        {reason}
      </Notice>
      {errors.length > 0 && (
        <>
          <div className={styles.errors}>
            <Table label="How to fix the file" dense>
              <thead>
                <tr>
                  <th scope="col" data-numeric>
                    Line
                  </th>
                  <th scope="col">Column</th>
                  <th scope="col">How to fix it</th>
                </tr>
              </thead>
              <tbody>
                {errors.map((error) => (
                  <tr key={`${error.line} ${error.column} ${error.reason}`}>
                    <td data-numeric>{error.line}</td>
                    <td data-nowrap>{error.column}</td>
                    <td>{error.reason}</td>
                  </tr>
                ))}
              </tbody>
            </Table>
          </div>
          {errorCount > errors.length && (
            <Text size="small" tone="quiet">
              Showing the first {errors.length.toLocaleString('en-GB')} of {errorCount.toLocaleString('en-GB')} errors. Fix these, then
              upload the file again to see the rest.
            </Text>
          )}
        </>
      )}
    </Stack>
  );
}
