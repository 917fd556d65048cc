import { booksErrorGroup, type BooksErrorGroup } from '@portal/contract/books.ts';
import { z } from 'zod/mini';
import type { UploadRejected } from '../../lib/use-file-upload.ts';
import { Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { RecordTable } from '../../ui/record-table.tsx';
import styles from './rejected-file.module.css';

const rejectionDetails = z.object({ groups: z.catch(z.array(booksErrorGroup), []) });

/** Explains why a file was rejected: one line per kind of error, with how to fix it. */
export function RejectedFile({ refusal }: { refusal: UploadRejected }) {
  const { fileName, reason, details } = refusal;
  const { groups } = rejectionDetails.parse(details ?? {});
  return (
    <Stack gap={16}>
      <Notice tone="error" title={`We couldn’t read ${fileName}`} role="alert">
        {reason}
      </Notice>
      {groups.length > 0 && (
        <div className={styles.errors}>
          <RecordTable
            label="How to fix the file"
            rows={groups}
            getKey={({ column, reason }) => `${column} ${reason}`}
            columns={[
              { title: 'Rows', cell: describeRows },
              { title: 'Column', layout: 'nowrap', cell: ({ column }) => column },
              { title: 'How to fix it', cell: ({ reason }) => reason },
            ]}
          />
        </div>
      )}
    </Stack>
  );
}

/** Returns, for example, “17 rows: 4, 9, 12 and 14 more”. Line 0 means the whole file. */
export function describeRows({ count, lines }: Pick<BooksErrorGroup, 'count' | 'lines'>): string {
  if (lines.every((line) => line === 0)) return 'Whole file';
  if (count === 1) return `Row ${lines[0]?.toLocaleString('en-GB') ?? ''}`;
  const lineList = lines.map((line) => line.toLocaleString('en-GB')).join(', ');
  const moreCount = count - lines.length;
  return `${count.toLocaleString('en-GB')} rows: ${lineList}${moreCount > 0 ? ` and ${moreCount.toLocaleString('en-GB')} more` : ''}`;
}
