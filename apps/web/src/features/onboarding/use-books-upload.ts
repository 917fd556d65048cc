/** Uploads a file of books and then refetches everything computed from them. */
import { MAX_BOOKS_FILE_BYTES, BOOKS_UPLOAD_PATH, booksUploadOutput } from '@portal/contract/books.ts';
import { dashboardApi } from '@portal/contract/dashboard.ts';
import { onboardingApi } from '@portal/contract/onboarding.ts';
import { vatReturnsApi } from '@portal/contract/vat-returns.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useFileUpload } from '../../lib/use-file-upload.ts';

export function useBooksUpload(companyId: string) {
  const queries = useQueryClient();
  return useFileUpload({
    path: BOOKS_UPLOAD_PATH,
    query: { company_id: companyId },
    limitBytes: MAX_BOOKS_FILE_BYTES,
    tooLargeAdvice: 'Split it by quarter, or remove columns that aren’t in the template.',
    unchangedText: 'Your existing books haven’t changed.',
    onUploaded: (answer) => {
      // Figures computed from the previous books are out of date.
      for (const path of [onboardingApi.progress.path, dashboardApi.get.path, vatReturnsApi.get.path, vatReturnsApi.transactions.path]) {
        void queries.invalidateQueries({ queryKey: [path] });
      }
      return booksUploadOutput.parse(answer);
    },
  });
}
