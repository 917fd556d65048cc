import type { BooksFile } from '@portal/contract/books.ts';
import type { Progress } from '@portal/contract/onboarding.ts';
import { FactList } from '../../ui/fact-list.tsx';
import { formatDate } from '@portal/domain/plain-date.ts';
import { DateText } from '../../components/formats/date-text.tsx';
import { OutsidePeriodsNotice } from '../../components/books/outside-periods-notice.tsx';
import { periodText } from '../../lib/period-text.ts';
import { Notice } from '../../ui/notice.tsx';
import { StatusPanel } from '../../ui/status-panel.tsx';
import { RefundFound } from './refund-found.tsx';
import { useRefundFinding, type RefundFinding } from './use-refund-finding.ts';
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
      <FileFinding file={file} finding={finding} />
      <OutsidePeriodsNotice file={file} />
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

type FileFindingProps = { file: Pick<BooksFile, 'first_date' | 'last_date'>; finding: RefundFinding };

/** What the file shows, or that it has nothing for the next return, which otherwise looks like a return without a refund. */
export function FileFinding({ file: { first_date: first, last_date: last }, finding }: FileFindingProps) {
  const next = finding.status === 'none' ? finding.next : undefined;
  if (next === undefined || first === null || last === null || (first <= next.period.end && last >= next.period.start)) {
    return <RefundFound finding={finding} />;
  }
  return (
    <Notice tone="warning" title={`The file has no transactions for ${periodText(next.period.start, next.period.end)}`} role="status">
      That’s the period of your next VAT return, due on {formatDate(next.due)}. Upload a file that covers it under Books, now or later, to
      see your refund.
    </Notice>
  );
}

/** Rows such as totals aren't transactions. List them, so that nothing is left out silently. */
function describeLeftOutRows(lines: readonly number[]): string {
  const lineList = lines.slice(0, 10).join(', ');
  return `${lines.length === 1 ? 'Row' : 'Rows'} ${lineList}${lines.length > 10 ? ' and others' : ''}: a total or another report line`;
}
