/** Queries aren't retried, and aren't refetched on focus (docs/product/specification.md section 4). */
import { QueryClient } from '@tanstack/react-query';

export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      // `always`: when offline, the request fails and the screen offers a retry instead of waiting forever.
      queries: { retry: false, refetchOnWindowFocus: false, networkMode: 'always' },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  const invalidate = client.invalidateQueries.bind(client);
  client.invalidateQueries = (filters, options) => {
    // A first response still in flight may predate the change. TanStack refetches only queries that have data, so cancel the rest.
    if (filters?.refetchType !== 'none') {
      for (const query of client.getQueryCache().findAll({ ...filters, type: 'active', fetchStatus: 'fetching' })) {
        if (query.state.data === undefined) void query.cancel({ silent: true });
      }
    }
    return invalidate(filters, options);
  };
  return client;
}
