/** Uploads a file of books and then refetches everything computed from them. */
import { MAX_BOOKS_FILE_BYTES, BOOKS_UPLOAD_PATH, booksApi, booksUploadOutput } from '@portal/contract/books.ts';
import { dashboardApi } from '@portal/contract/dashboard.ts';
import { onboardingApi } from '@portal/contract/onboarding.ts';
import { vatReturnsApi } from '@portal/contract/vat-returns.ts';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useFileUpload } from '../../lib/use-file-upload.ts';

export function useBooksUpload(companyId: string) {
  const queries = useQueryClient();
  const books = useFileUpload({
    path: BOOKS_UPLOAD_PATH,
    query: { company_id: companyId },
    limitBytes: MAX_BOOKS_FILE_BYTES,
    tooLargeAdvice: 'Split it by quarter, or remove columns that aren’t in the template.',
    unchangedText: 'Your existing books haven’t changed.',
    onUploaded: (answer) => {
      invalidateFigures(queries);
      return booksUploadOutput.parse(answer);
    },
  });
  const isRejected = books.state.status === 'refused';
  useEffect(() => {
    // A rejected file can wait for other columns.
    if (isRejected) void queries.invalidateQueries({ queryKey: [booksApi.current.path] });
  }, [isRejected, queries]);
  return books;
}

/** Figures computed from the previous books are out of date. */
export function invalidateFigures(queries: QueryClient): void {
  const changed = [onboardingApi.progress, dashboardApi.get, booksApi.current, ...Object.values(vatReturnsApi)];
  for (const { path } of changed) void queries.invalidateQueries({ queryKey: [path] });
}
