/** The product's queries: no retry, no refetch when the window is focused (specification 4). */
import { QueryClient } from '@tanstack/react-query';

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // `always`: offline is told by the failed call itself, with a way to try again, not by a query that waits for ever.
      queries: { retry: false, refetchOnWindowFocus: false, networkMode: 'always' },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}
