import type { BooksFile } from '@portal/contract/books.ts';
import type { Progress } from '@portal/contract/onboarding.ts';
import { FactList } from '../../ui/fact-list.tsx';
import { DateText } from '../../components/formats/date-text.tsx';
import { StatusPanel } from '../../ui/status-panel.tsx';
import { RefundFound } from './refund-found.tsx';
import { useRefundFinding } from './use-refund-finding.ts';
import styles from './books-upload.module.css';

type AppliedFileProps = { file: BooksFile; leftOutLines: readonly number[]; progress: Progress; onContinue: () => void };

/** The result of an applied file, with the refund it shows. */
export function AppliedFile({ file, leftOutLines, progress, onContinue }: AppliedFileProps) {
  const finding = useRefundFinding(progress.company_id ?? '', progress.hmrc.status === 'connected');
  return (
    <StatusPanel
      state="success"
      heading="Books uploaded"
      isResult
      subHeading={`We’ve read all ${file.rows.toLocaleString('en-GB')} rows and worked out your VAT from them.`}
      onContinue={onContinue}
    >
      <RefundFound finding={finding} />
      <div className={styles.facts}>
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
            ...(leftOutLines.length > 0 ? [{ label: 'Excluded', value: describeLeftOutRows(leftOutLines) }] : []),
            {
              label: 'To check',
              value: file.flagged === 0 ? 'No issues found' : `${file.flagged.toLocaleString('en-GB')} rows, flagged in the return`,
            },
          ]}
        />
      </div>
    </StatusPanel>
  );
}

/** Rows such as totals aren't transactions. List them, so that nothing is left out silently. */
function describeLeftOutRows(lines: readonly number[]): string {
  const lineList = lines.slice(0, 10).join(', ');
  return `${lines.length === 1 ? 'Row' : 'Rows'} ${lineList}${lines.length > 10 ? ' and others' : ''}: a total or another report line`;
}
