import type { FetchQueryOptions, QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Fetches data that the user has just changed. A request that is still in flight may have been answered before the change, and TanStack
 * Query would return its result, so it is cancelled. Throws the query's error.
 */
export async function fetchAfterChange<Data, QueryError, Key extends QueryKey>(
  queryClient: QueryClient,
  query: FetchQueryOptions<Data, QueryError, Data, Key>,
): Promise<Data> {
  // All inputs of the endpoint, because other screens read it with another one.
  const filter = { queryKey: query.queryKey.slice(0, 1) };
  await queryClient.cancelQueries(filter);
  await queryClient.invalidateQueries({ ...filter, refetchType: 'none' });
  return queryClient.fetchQuery(query);
}
