import type { BooksConnectionState } from '@portal/contract/books-connection.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api.ts';
import { getConnectionApi, type BooksTarget } from './books-api.ts';

/** Sends a request whose response is the new state of the connection. */
export function useDecision<Input = void>(target: BooksTarget, call: (input: Input) => Promise<BooksConnectionState>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: call,
    onSuccess: (state) => queryClient.setQueryData(apiQuery(getConnectionApi(target).get, target).queryKey, state),
  });
}
