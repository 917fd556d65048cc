import { clientBooksApi } from '@portal/contract/client-books.ts';
import { clientReturnsApi } from '@portal/contract/client-returns.ts';
import { practiceBooksApi } from '@portal/contract/practice-books.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';

/** Changes which books are read, then refetches everything the screens show about them. */
export function usePracticeBooksChange<Input = void, Output = unknown>(call: (input: Input) => Promise<Output>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: call,
    onSuccess: async () => {
      const changedEndpoints = [
        practiceBooksApi.get,
        practiceBooksApi.organisations,
        clientBooksApi.get,
        clientBooksApi.offered,
        clientReturnsApi.books,
      ];
      await Promise.all(changedEndpoints.map(({ path }) => queryClient.invalidateQueries({ queryKey: [path] })));
    },
  });
}
