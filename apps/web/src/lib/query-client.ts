/** The product's queries: no retry, no refetch when the window is focused (specification 4). */
import { QueryClient } from '@tanstack/react-query';

export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      // `always`: offline is told by the failed call itself, with a way to try again, not by a query that waits for ever.
      queries: { retry: false, refetchOnWindowFocus: false, networkMode: 'always' },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  const invalidate = client.invalidateQueries.bind(client);
  client.invalidateQueries = (filters, options) => {
    // A first answer that is on its way may be from before the change, and would stand: TanStack asks anew only where an answer is there.
    if (filters?.refetchType !== 'none') {
      for (const query of client.getQueryCache().findAll({ ...filters, type: 'active', fetchStatus: 'fetching' })) {
        if (query.state.data === undefined) void query.cancel({ silent: true });
      }
    }
    return invalidate(filters, options);
  };
  return client;
}
