import type { BooksFile } from '@portal/contract/books.ts';
import { addDays, formatDate } from '@portal/domain/plain-date.ts';
import { Notice } from '../../ui/notice.tsx';

/** Rows of the file in use that no return includes, because HMRC hasn't listed a VAT period for their dates. */
export function OutsidePeriodsNotice({ file: { outside_periods: outside } }: { file: Pick<BooksFile, 'outside_periods'> }) {
  if (outside === null) return null;
  const { rows_before: rowsBefore, rows_after: rowsAfter, first_period_start: start, last_period_end: end } = outside;
  return (
    <Notice tone="warning" title="Some rows aren’t in any VAT period that HMRC has listed">
      {rowsAfter > 0 &&
        `${formatRows(rowsAfter)} dated ${formatDate(addDays(end, 1))} or later, after the last period. We keep ${rowsAfter === 1 ? 'it for when HMRC lists its' : 'them for when HMRC lists their'} period. `}
      {rowsBefore > 0 &&
        `${formatRows(rowsBefore)} dated before ${formatDate(start)}, the start of the earliest period. No return that we prepare includes ${rowsBefore === 1 ? 'it' : 'them'}. `}
      If a date is wrong, correct it in your books and upload the file again.
    </Notice>
  );
}

function formatRows(count: number): string {
  return count === 1 ? '1 row is' : `${count.toLocaleString('en-GB')} rows are`;
}
