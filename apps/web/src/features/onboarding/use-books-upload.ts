/** A file of books on its way; once it is taken its figures are the books'. */
import { BOOKS_FILE_LIMIT_BYTES, BOOKS_UPLOAD_PATH, booksUploadOutput } from '@portal/contract/books.ts';
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
    limitBytes: BOOKS_FILE_LIMIT_BYTES,
    ifTooLarge: 'Split it by quarter, or leave out columns that the template does not have.',
    untouched: 'Your books are as they were.',
    take: (answer) => {
      // The figures computed from the books before are no longer true.
      for (const path of [onboardingApi.progress.path, dashboardApi.get.path, vatReturnsApi.get.path, vatReturnsApi.transactions.path]) {
        void queries.invalidateQueries({ queryKey: [path] });
      }
      return booksUploadOutput.parse(answer);
    },
  });
}
