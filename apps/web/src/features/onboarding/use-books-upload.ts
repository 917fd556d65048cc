/** Uploads a file of books and then refetches everything computed from them. */
import { MAX_BOOKS_FILE_BYTES, BOOKS_UPLOAD_PATH, booksApi, booksUploadOutput } from '@portal/contract/books.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { invalidateFigures } from '../../components/books/use-books-connection.ts';
import { useFileUpload } from '../../lib/use-file-upload.ts';

export function useBooksUpload(companyId: string) {
  const queryClient = useQueryClient();
  const books = useFileUpload({
    path: BOOKS_UPLOAD_PATH,
    query: { company_id: companyId },
    maxFileBytes: MAX_BOOKS_FILE_BYTES,
    tooLargeAdvice: 'Split it by quarter, or remove columns that aren’t in the template.',
    unchangedText: 'Your existing books haven’t changed.',
    onUploaded: (uploadResult) => {
      invalidateFigures(queryClient);
      return booksUploadOutput.parse(uploadResult);
    },
  });
  const isRejected = books.state.status === 'refused';
  useEffect(() => {
    // A rejected file may stay pending until the user maps its columns differently.
    if (isRejected) void queryClient.invalidateQueries({ queryKey: [booksApi.current.path] });
  }, [isRejected, queryClient]);
  return books;
}
